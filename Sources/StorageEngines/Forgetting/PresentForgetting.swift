import BrowserSessions

/// What the present sessions of a partition lose when it forgets sites: a change set for each session.
///
/// Tabs that are closed, alone or with their window, inactive, set aside or otherwise kept for later go as a
/// whole. Those of open windows and of the library stay, and lose what leads back to the sites.
struct PresentForgetting {
    private let sites: ForgottenSites
    private let partition: Partition
    private(set) var changes: [SessionChanges] = []
    private(set) var receipt = ForgettingReceipt()
    /// The tabs that have, or had, anything of the sites.
    private(set) var tabs: Set<TabID> = []

    init(_ sites: ForgottenSites, in partition: Partition) throws {
        (self.sites, self.partition) = (sites, partition)
        for id in partition.index.sessionIDs {
            guard let session = try partition.restore(id, at: .current) else { continue }
            var set = SessionChanges()
            set.isIntended = true
            try forget(in: session, &set)
            if !set.isEmpty { changes.append(set) }
        }
    }

    private mutating func forget(in session: RestoredSession, _ set: inout SessionChanges) throws {
        var attributes = session.attributes
        if sites.redact(&attributes) { set.put(attributes, for: session.id) }
        let isOpen = session.isShown
        let gone = Set(session.tabs.filter { !isOpen && sites.covers($0) }.map(\.id))
        receipt.closedTabs += gone.count
        tabs.formUnion(gone)
        let parents = parents(in: session, without: gone)
        for tab in session.tabs {
            guard !gone.contains(tab.id) else {
                set.remove(tab.id, from: session.id)
                continue
            }
            try forget(of: tab, isOpen: isOpen, parents, in: session.id, &set)
        }
        for var node in session.nodes {
            var isChanged = sites.redact(&node)
            if let parent = parents[node.id] {
                node.parent = parent
                isChanged = true
            }
            if isChanged { set.put(node, in: session.id) }
        }
    }

    /// Returns the new parents of what is below tabs that go: what these were below.
    private func parents(in session: RestoredSession, without gone: Set<TabID>)
        -> [NodeID: NodeID?]
    {
        guard !gone.isEmpty else { return [:] }
        let above = Dictionary(
            session.tabs.map { (NodeID($0.id), $0.parent) }, uniquingKeysWith: { one, _ in one })
        var found: [NodeID: NodeID?] = [:]
        let all =
            session.tabs.map { (NodeID($0.id), $0.parent) }
            + session.nodes.map { ($0.id, $0.parent) }
        for (id, parent) in all {
            guard var next = parent, gone.contains(TabID(next)) else { continue }
            var end: NodeID? = next
            while let id = end, gone.contains(TabID(id)) {
                end = above[id] ?? nil
                next = id
            }
            found[id] = .some(end)
        }
        return found
    }

    private mutating func forget(
        of tab: TabMetadata, isOpen: Bool, _ parents: [NodeID: NodeID?], in session: SessionID,
        _ set: inout SessionChanges
    ) throws {
        var record = tab
        var isChanged = sites.redact(&record)
        let isShown = sites.covers(tab)
        if isShown { receipt.openTabs += 1 }
        if let parent = parents[NodeID(tab.id)] {
            record.parent = parent
            isChanged = true
        }
        let history = try history(of: tab.id)
        if var found = history {
            let (entries, isOther) = sites.redact(&found, keepingCurrent: isShown)
            receipt.historyEntries += entries
            if entries > 0 || isOther {
                let key = TabStateKey(tab: tab.id, name: .navigation, in: session)
                if found.entries.isEmpty {
                    set.remove(key)
                } else {
                    set.put(found.encoded(), for: key)
                }
            }
            if entries > 0 {
                record.navigationItemCount = Int32(clamping: found.entries.count)
                isChanged = true
                tabs.insert(tab.id)
            }
        }
        if isShown { tabs.insert(tab.id) }
        for name in partition.index.names(of: tab.id) where try covers(name, of: tab, history) {
            set.remove(TabStateKey(tab: tab.id, name: name, in: session))
            receipt.states += 1
        }
        if isChanged { set.put(record, in: session) }
    }

    /// Returns whether a state goes as a whole: nothing can be taken out of it, and its tab had one of the
    /// sites, or it names one.
    private func covers(_ name: StateName, of tab: TabMetadata, _ history: NavigationHistory?)
        throws -> Bool
    {
        if name == .navigation, history != nil { return false }
        if name != .navigation, tabs.contains(tab.id) { return true }
        guard sites.reaches(tab.lastActiveAt) else { return false }
        let key = TabStateKey(tab: tab.id, name: name, partition: partition.kind)
        return try partition.state(key).map { sites.covers(stateNamed: name, $0) } ?? false
    }

    /// Returns a tab's history; `nil` if it has none, or none that can be read as one. Such bytes go if they
    /// name a site.
    private func history(of tab: TabID) throws -> NavigationHistory? {
        let key = TabStateKey(tab: tab, name: .navigation, partition: partition.kind)
        guard let bytes = try partition.state(key) else { return nil }
        return try? NavigationHistory(encoded: bytes)
    }
}

extension RestoredSession {
    /// Whether its tabs are in a window that is not closed, or in the library.
    fileprivate var isShown: Bool {
        switch id.kind.role {
        case .window: attributes.closedAt == nil
        case .library: true
        case .companion, .shelf, .notes: false
        }
    }
}
