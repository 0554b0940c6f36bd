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
            case .putSession(let id, let attributes): try putAttributes(attributes, of: id)
            case .putTab(let tab, let id): try putTab(tab, in: id)
            case .putNode(let node, let id): try putNode(node, in: id)
            case .putState(let bytes, let key): try putState(bytes, key.tab, key.name)
            case .removeState(let key):
                if index.state(key.tab, key.name) != nil { removeState(key.tab, key.name) }
            case .removeSession(let id):
                if index.session(id)?.attributes != nil { removeAttributes(of: id) }
            case .removeTab, .removeNode: continue
            }
        }
        removeNodes(outline, index)
        removeTabs(outline, index)
        if let commit = changes.commitID {
            try putCommit(commit)
            if index.commits.count >= Self.rememberedCommits, let oldest = index.commits.first {
                forgetCommit(oldest.id)
            }
        }
    }

    /// How many commit ids a partition remembers.
    static let rememberedCommits = 64

    /// Removes tabs with their state, except tabs that the same set puts somewhere.
    private mutating func removeTabs(_ outline: ChangeOutline, _ index: PartitionIndex) {
        var tabs = Set(
            outline.removedTabs.filter { index.has(TabID($0.id), in: $0.session) }
                .map { TabID($0.id) })
        let populated = Set(
            outline.removedSessions.filter { (index.session($0)?.tabCount ?? 0) > 0 }
                .map { index.number(for: $0) })
        if !populated.isEmpty {
            for (tab, entry) in index.tabs where populated.contains(entry.session) {
                tabs.insert(tab)
            }
        }
        guard !tabs.isEmpty else { return }
        let changed = Set(outline.states.map { StateSubject(tab: $0.tab, name: $0.name) })
        for tab in tabs.sorted() where !outline.puts(tab) {
            removeTab(tab)
            for name in index.names(of: tab)
            where !changed.contains(StateSubject(tab: tab, name: name)) {
                removeState(tab, name)
            }
        }
    }

    /// Removes nodes, except those that the same set puts somewhere.
    private mutating func removeNodes(_ outline: ChangeOutline, _ index: PartitionIndex) {
        var nodes = Set(
            outline.removedNodes.filter { index.session(of: $0.id) == $0.session }.map(\.id))
        for session in outline.removedSessions { nodes.formUnion(index.nodes(of: session)) }
        for node in nodes.sorted() where outline.put(node) == nil { removeNode(node) }
    }

    private struct StateSubject: Hashable {
        var tab: TabID
        var name: StateName
    }
}
