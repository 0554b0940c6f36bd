import BrowserModel
import BrowserSessions

/// The groups in change sets.
extension PendingChanges {
    /// Returns the group of a tab that the store may not have; `nil` if it has it, or there is none.
    func unknownGroup(of tab: TabMetadata) -> NodeID? {
        guard let group = tab.group, let session = session(of: tab.id) else { return nil }
        let id = storedNodes.aliases[session]?[group] ?? group
        return storedNodes.node(id, in: session) == nil ? group : nil
    }

    /// Returns what a group of a tab is, as far as it is known here; `nil` if it is not.
    private func content(
        of group: NodeID, in session: SessionID, _ collected: CollectedRecord
    ) -> StructureNode? {
        if case .tab(_, _, let known?) = collected.content, known.id == group { return known }
        if case .taken(let taken)? = sessions[session]?.target,
            let known = taken.groups?.first(where: { $0.id == group })
        {
            return known
        }
        return storedNodes.latest(group, in: session)
    }

    /// Returns the groups that a session is about to have; `nil` if it keeps its own.
    func groups(of session: SessionID, _ collected: CollectedRecord) -> Set<NodeID>? {
        switch (sessions[session]?.target, collected.content) {
        case (.gone?, _): []
        case (.taken(let taken)?, _): taken.groups.map { Set($0.map(\.id)) }
        case (.live?, .session(let live)): live.groups.map { Set($0.map(\.id)) }
        default: nil
        }
    }

    /// Adds a group to the set, unless the store has it so.
    mutating func add(
        _ group: StructureNode, in session: SessionID, to sending: inout OutgoingChanges
    ) {
        storedNodes.note(group, in: session)
        var node = group
        node.id = savedID(of: group.id, in: session, sending)
        if node.id != group.id { node.origin = group.origin }
        sending.keep(node.id, in: session)
        guard storedNodes.node(node.id, in: session) != node else { return }
        sending.put(node, in: session)
    }

    /// Returns the identifier under which a session saves a group.
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
                || sending.groups[owner]?.contains(group) == false)
        return isLeaving ? group : storedNodes.rename(group, in: session) ?? group
    }

    /// Returns a tab with its group as its session saves it, and puts the group if the store may not have
    /// it. A tab is in no group if nothing is known of its own.
    mutating func grouped(
        _ tab: TabMetadata, in session: SessionID, _ collected: CollectedRecord,
        _ sending: inout OutgoingChanges
    ) -> TabMetadata {
        guard let group = tab.group else { return tab }
        let id = savedID(of: group, in: session, sending)
        if storedNodes.node(id, in: session) == nil, sending.session(of: id) != session {
            if let known = content(of: group, in: session, collected) {
                add(known, in: session, to: &sending)
            } else if !storedNodes.has(id, in: session) {
                return tab.ungrouped
            }
        }
        sending.keep(id, in: session)
        var grouped = tab
        grouped.group = id
        return grouped
    }

    /// Removes the groups that sessions do not have any more.
    func removeEndedGroups(from sending: inout OutgoingChanges) {
        for session in sending.sessions.keys.sorted() where sending.groups[session] != nil {
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
    /// The tab in no group.
    var ungrouped: TabMetadata {
        var tab = self
        tab.group = nil
        return tab
    }
}
