import BrowserSessions

extension RecordBatch {
    /// Converts a change set to records. Throws `invalidChanges` if it does not fit what the partition has.
    mutating func add(_ validated: ValidatedChanges, to index: PartitionIndex) throws(StorageError)
    {
        let changes = validated.set
        try changes.validateStates { index.tabs[$0]?.session }
        var removals = Removals()
        for change in changes.changes {
            switch change {
            case .putSession(let id, let attributes): try putAttributes(attributes, of: id)
            case .putTab(let tab, let id):
                try putTab(tab, in: id, replacing: index.tabs[tab.id])
            case .putState(let bytes, let key): try putState(bytes, key.tab, key.name)
            case .removeState(let key):
                if index.state(key.tab, key.name) != nil { removeState(key.tab, key.name) }
            case .removeSession(let id):
                if index.sessions[id]?.attributes != nil { removeAttributes(of: id) }
                removals.sessions.insert(id)
            case .removeTab(let tab, let id):
                if index.tabs[tab]?.session == id { removals.tabs.insert(tab) }
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
        var sessions: Set<SessionID> = []
        var tabs: Set<TabID> = []
    }

    /// Removes tabs with their state, except tabs that the same set puts somewhere.
    private mutating func addRemovals(
        _ removals: Removals, _ changes: [SessionChanges.Change], _ index: PartitionIndex
    ) throws(StorageError) {
        guard !removals.sessions.isEmpty || !removals.tabs.isEmpty else { return }
        var kept: Set<TabID> = []
        var touched: Set<TabStateKey> = []
        for change in changes {
            switch change {
            case .putTab(let tab, _): kept.insert(tab.id)
            case .putState(_, let key), .removeState(let key): touched.insert(key)
            default: break
            }
        }
        var tabs = removals.tabs
        let populated = removals.sessions.filter { (index.sessions[$0]?.tabCount ?? 0) > 0 }
        if !populated.isEmpty {
            for (tab, entry) in index.tabs where populated.contains(entry.session) {
                tabs.insert(tab)
            }
        }
        for tab in tabs.subtracting(kept).sorted() {
            guard let entry = index.tabs[tab] else { continue }
            removeTab(tab, at: entry)
            // The previous generation needs the state until the next opening.
            guard !index.needsStateOfEarlier(tab) else { continue }
            for name in index.names(of: tab)
            where !touched.contains(TabStateKey(tab: tab, name: name, in: entry.session)) {
                removeState(tab, name)
            }
        }
    }
}
