import BrowserModel
import BrowserSessions

/// The nodes in change sets that are no tabs.
extension PendingChanges {
    /// Returns whether the store has the node that a tab is below, or there is none.
    func hasParent(of tab: TabMetadata) -> Bool {
        guard let parent = tab.parent, let session = session(of: tab.id) else { return true }
        let id = storedNodes.aliases[session]?[parent] ?? parent
        return storedNodes.node(id, in: session) != nil
    }

    /// Returns what a node above a tab is, as far as it is known here; `nil` if it is not.
    private func content(
        of node: NodeID, in session: SessionID, _ collected: CollectedRecord
    ) -> StructureNode? {
        if let known = collected.nodes.first(where: { $0.id == node }) { return known }
        if case .taken(let taken)? = sessions[session]?.target,
            let known = taken.nodes?.first(where: { $0.id == node })
        {
            return known
        }
        return storedNodes.latest(node, in: session)
    }

    /// Returns the nodes that a session is about to have; `nil` if it keeps its own.
    func nodes(of session: SessionID, _ collected: CollectedRecord) -> Set<NodeID>? {
        guard let pending = sessions[session] else { return nil }
        if pending.isGone { return [] }
        return content(pending, collected)?.nodes.map { Set($0.map(\.id)) }
    }

    /// Adds a node to the set, unless the store has it so.
    mutating func add(
        _ record: StructureNode, in session: SessionID, to sending: inout OutgoingChanges
    ) {
        storedNodes.note(record, in: session)
        var node = record
        node.id = savedID(of: record.id, in: session, sending)
        if node.id != record.id { node.origin = record.origin }
        node.parent = record.parent.map { savedID(of: $0, in: session, sending) }
        sending.keep(node.id, in: session)
        guard storedNodes.node(node.id, in: session) != node else { return }
        sending.put(node, in: session)
    }

    /// Returns the identifier under which a session saves a node.
    private mutating func savedID(
        of group: NodeID, in session: SessionID, _ sending: OutgoingChanges
    ) -> NodeID {
        if let alias = storedNodes.aliases[session]?[group] { return alias }
        guard let owner = sending.session(of: group) ?? storedNodes.owner(of: group),
            owner != session
        else { return group }
        let isLeaving =
            sending.session(of: group) == nil
            && (sending.removedSessions.contains(owner)
                || sending.sessionNodes[owner]?.contains(group) == false)
        return isLeaving ? group : storedNodes.rename(group, in: session) ?? group
    }

    /// Returns a tab with its parent as its session saves it, and puts the nodes above it that the store may
    /// not have. A tab below a node that is not known is at the top.
    mutating func placed(
        _ tab: TabMetadata, in session: SessionID, _ collected: CollectedRecord,
        _ sending: inout OutgoingChanges
    ) -> TabMetadata {
        guard let parent = tab.parent else { return tab }
        guard let id = require(parent, in: session, collected, &sending) else {
            if case .live? = tabs[tab.id]?.target { waiting[parent, default: []].insert(tab.id) }
            return tab.atTop
        }
        var placed = tab
        placed.parent = id
        return placed
    }

    /// Sees to it that the store has a node after the set, and those above it.
    ///
    /// - Returns: the identifier under which the session saves it; `nil` if it is not known.
    private mutating func require(
        _ node: NodeID, in session: SessionID, _ collected: CollectedRecord,
        _ sending: inout OutgoingChanges, depth: Int = 0
    ) -> NodeID? {
        let id = savedID(of: node, in: session, sending)
        guard depth <= SessionForest.maximumDepth else { return id }
        if storedNodes.node(id, in: session) != nil || sending.session(of: id) == session {
            sending.keep(id, in: session)
            // A session that is in the set says itself what its nodes are below.
            if sending.sessionNodes[session] == nil,
                let parent = storedNodes.node(id, in: session)?.parent
            {
                _ = require(parent, in: session, collected, &sending, depth: depth + 1)
            }
            return id
        }
        if isTab(TabID(node), in: session, after: sending) { return id }
        guard var known = content(of: node, in: session, collected) else {
            guard storedNodes.has(id, in: session) else { return nil }
            sending.keep(id, in: session)
            return id
        }
        if let parent = known.parent,
            require(parent, in: session, collected, &sending, depth: depth + 1) == nil
        {
            (known.parent, known.edge) = (nil, .member)
        }
        add(known, in: session, to: &sending)
        return id
    }

    /// Returns whether a tab is in a session after a set, as far as that is known.
    private func isTab(
        _ tab: TabID, in session: SessionID, after sending: OutgoingChanges
    ) -> Bool {
        if let sent = sending.tabs[tab] { return sent.session == session }
        if sending.isWhole, let pending = tabs[tab], !pending.refusal.isAllThatWaits {
            return pending.session == session
        }
        return stored[tab]?.last == session
    }

    /// Marks the tabs that could not be put where they belong because a tab was not in the store.
    mutating func place(tabsBelow parent: TabID) {
        guard let tabs = waiting.removeValue(forKey: NodeID(parent)) else { return }
        for tab in tabs.sorted() {
            guard
                case .live(let session)? = self.tabs[tab]?.target
                    ?? stored[tab]?.last.map({ .live(in: $0) })
            else { continue }
            _ = change(tab) { $0.target = .live(in: session) }
        }
    }

    /// Removes the nodes that sessions do not have any more.
    func removeEndedNodes(from sending: inout OutgoingChanges) {
        for session in sending.sessions.keys.sorted() where sending.sessionNodes[session] != nil {
            let isReduced = sessions[session]?.refusal.keepsGroups ?? true
            guard !isReduced, !sending.removedSessions.contains(session),
                sessions[session]?.refusal.stage != SessionContent.lastStage
            else { continue }
            for id in storedNodes.ids(in: session)
            where !sending.keeps(id, in: session) && sending.session(of: id) == nil {
                sending.remove(id, from: session)
            }
        }
    }
}

extension TabMetadata {
    /// The tab below nothing.
    var atTop: TabMetadata {
        guard parent != nil else { return self }
        var tab = self
        (tab.parent, tab.edge) = (nil, .member)
        return tab
    }
}
