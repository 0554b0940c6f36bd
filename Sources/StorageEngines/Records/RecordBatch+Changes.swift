import BrowserSessions

extension RecordBatch {
    /// Converts a change set to records. Throws `invalidChanges` if it does not fit what the partition has.
    mutating func add(_ validated: ValidatedChanges, to index: PartitionIndex) throws(StorageError)
    {
        let (changes, outline) = (validated.set, validated.outline)
        try outline.checkStates { index.session(of: $0) }
        if outline.hasStructure || index.hasStructure { try ForestRules(outline, index).check() }
        for change in changes.changes {
            switch change {
            case .put(let record): try put(record)
            case .putState(let bytes, let key): try putState(bytes, key.tab, key.name)
            case .removeState(let key):
                if index.state(key.tab, key.name) != nil { removeState(key.tab, key.name) }
            case .remove(.session(let id), _):
                if index.session(id)?.attributes != nil { remove(.session(id)) }
            case .remove: continue
            }
        }
        removeElements(outline, index)
        if let commit = changes.commitID {
            try putCommit(commit)
            if index.commits.count >= Self.rememberedCommits, let oldest = index.commits.first {
                forgetCommit(oldest.id)
            }
        }
    }

    /// How many commit ids a partition remembers.
    static let rememberedCommits = 64

    /// Removes nodes, and tabs with their state, except what the same set puts somewhere.
    private mutating func removeElements(_ outline: ChangeOutline, _ index: PartitionIndex) {
        var nodes: Set<NodeID> = []
        var tabs: Set<TabID> = []
        for (item, session) in outline.removals where index.session(of: item) == session {
            switch item {
            case .tab(let id): tabs.insert(id)
            case .node(let id): nodes.insert(id)
            case .session: break
            }
        }
        for session in outline.removedSessions { nodes.formUnion(index.nodes(of: session)) }
        let populated = Set(
            outline.removedSessions.filter { (index.session($0)?.tabCount ?? 0) > 0 }
                .map { index.number(for: $0) })
        if !populated.isEmpty {
            for (tab, entry) in index.tabs where populated.contains(entry.session) {
                tabs.insert(tab)
            }
        }
        for node in nodes.sorted() where outline.put(node) == nil { remove(.node(node)) }
        guard !tabs.isEmpty else { return }
        let changed = Set(outline.states.map { StateSubject(tab: $0.tab, name: $0.name) })
        for tab in tabs.sorted() where !outline.puts(tab) {
            remove(.tab(tab))
            for name in index.names(of: tab)
            where !changed.contains(StateSubject(tab: tab, name: name)) {
                removeState(tab, name)
            }
        }
    }

    private struct StateSubject: Hashable {
        var tab: TabID
        var name: StateName
    }
}
