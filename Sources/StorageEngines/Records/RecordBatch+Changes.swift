import BrowserSessions

extension RecordBatch {
    /// Converts a change set to records. Throws `invalidChanges` if it does not fit what the partition has.
    mutating func add(_ validated: ValidatedChanges, to index: PartitionIndex) throws(StorageError)
    {
        let changes = validated.set
        try changes.validateStates { index.session(of: $0) }
        if ForestRules.concern(changes.changes, index) {
            try ForestRules(changes.changes, index).check()
        }
        var removals = Removals()
        for change in changes.changes {
            switch change {
            case .putSession(let id, let attributes): try putAttributes(attributes, of: id)
            case .putTab(let tab, let id): try putTab(tab, in: id)
            case .putNode(let node, let id): try putNode(node, in: id)
            case .removeNode(let node, let id):
                if index.session(of: node) == id { removals.nodes.insert(node) }
            case .putState(let bytes, let key): try putState(bytes, key.tab, key.name)
            case .removeState(let key):
                if index.state(key.tab, key.name) != nil { removeState(key.tab, key.name) }
            case .removeSession(let id):
                if index.session(id)?.attributes != nil { removeAttributes(of: id) }
                removals.sessions.append(id)
            case .removeTab(let tab, let id):
                if index.has(tab, in: id) { removals.tabs.insert(tab) }
            }
        }
        try addRemovals(removals, changes.changes, index)
        if let commit = changes.commitID {
            try putCommit(commit)
            if index.commits.count >= Self.rememberedCommits, let oldest = index.commits.first {
                forgetCommit(oldest.id)
            }
        }
    }

    /// How many commit ids a partition remembers.
    static let rememberedCommits = 64

    private struct Removals {
        var sessions: [SessionID] = []
        var tabs: Set<TabID> = []
        var nodes: Set<NodeID> = []
    }

    /// Removes tabs with their state, except tabs that the same set puts somewhere.
    private mutating func addRemovals(
        _ removals: Removals, _ changes: [SessionChanges.Change], _ index: PartitionIndex
    ) throws(StorageError) {
        removeNodes(removals, changes, index)
        guard !removals.sessions.isEmpty || !removals.tabs.isEmpty else { return }
        var kept: Set<TabID> = []
        var touched: Set<StateSubject> = []
        for change in changes {
            switch change {
            case .putTab(let tab, _): kept.insert(tab.id)
            case .putState(_, let key), .removeState(let key):
                touched.insert(StateSubject(tab: key.tab, name: key.name))
            default: break
            }
        }
        var tabs = removals.tabs
        let populated = Set(
            removals.sessions.filter { (index.session($0)?.tabCount ?? 0) > 0 }
                .map { index.number(for: $0) })
        if !populated.isEmpty {
            for (tab, entry) in index.tabs where populated.contains(entry.session) {
                tabs.insert(tab)
            }
        }
        for tab in tabs.subtracting(kept).sorted() {
            removeTab(tab)
            for name in index.names(of: tab)
            where !touched.contains(StateSubject(tab: tab, name: name)) {
                removeState(tab, name)
            }
        }
    }

    /// Removes nodes, except those that the same set puts somewhere.
    private mutating func removeNodes(
        _ removals: Removals, _ changes: [SessionChanges.Change], _ index: PartitionIndex
    ) {
        let nodes = removals.sessions.reduce(into: removals.nodes) { nodes, session in
            nodes.formUnion(index.nodes(of: session))
        }
        guard !nodes.isEmpty else { return }
        var kept: Set<NodeID> = []
        for case .putNode(let node, _) in changes { kept.insert(node.id) }
        for node in nodes.subtracting(kept).sorted() { removeNode(node) }
    }

    private struct StateSubject: Hashable {
        var tab: TabID
        var name: StateName
    }
}
