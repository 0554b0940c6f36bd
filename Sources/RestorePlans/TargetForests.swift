import BrowserSessions

/// Puts the forests of sessions in order after tabs and nodes came, moved and went.
struct TargetForests {
    private(set) var records: SessionRecords
    private let touched: Set<SessionID>
    /// The parents that records had before.
    private var formerParents: [NodeID: NodeID] = [:]

    init(_ records: SessionRecords, _ touched: Set<SessionID>) {
        (self.records, self.touched) = (records, touched)
    }

    /// - Parameter lines: all lines of the plan, which know where things were.
    mutating func run(lines: [RestorePlan.Line]) {
        for line in lines {
            guard let then = line.then ?? line.now, let id = then.nodeID else { continue }
            if let parent = then.parent { formerParents[id] = parent }
        }
        liftOrphans()
        for (_, session) in records.limited(to: touched).sessions.sorted(by: { $0.key < $1.key }) {
            repair(session)
        }
    }

    /// Takes what is not in the session of its parent to the nearest node above that is, else to the top.
    private mutating func liftOrphans() {
        for record in records.ordered where touched.contains(record.session) {
            guard let parent = record.parent, !isThere(parent, in: record.session) else { continue }
            var next: NodeID? = parent
            var seen: Set<NodeID> = []
            while let id = next, !isThere(id, in: record.session) {
                next =
                    seen.insert(id).inserted
                    ? records.element(id)?.parent ?? formerParents[id] : nil
            }
            var lifted = record
            lifted.lift(into: next == record.nodeID ? nil : next.flatMap { records.element($0) })
            records[record.item] = lifted
        }
    }

    private func isThere(_ id: NodeID, in session: SessionID) -> Bool {
        records.element(id)?.session == session
    }

    /// Repairs a forest, and references to tabs that are not in it.
    private mutating func repair(_ session: RestoredSession) {
        var session = session
        let nodes = session.nodes.map(\.id)
        session.repairForest()
        if !session.repairs.isEmpty {
            for id in Set(nodes).subtracting(session.nodes.map(\.id)) { records[.node(id)] = nil }
            for record in session.records where record.nodeID != nil {
                records[record.item] = record
            }
        }
        let tabs = Set(session.tabs.map(\.id))
        for var tab in session.tabs where tab.opener.map({ !tabs.contains($0.tab) }) ?? false {
            tab.opener = nil
            records[.tab(tab.id)] = SessionRecord.tab(tab, in: session.id)
        }
        guard let active = session.attributes.activeTab, !tabs.contains(active) else { return }
        let latest = session.tabs.max { $0.lastActiveAt < $1.lastActiveAt }
        session.attributes.activeTab = latest?.id
        records[.session(session.id)] = SessionRecord.session(session.id, session.attributes)
    }

    /// Removes sessions for closed tabs that have none left. Windows stay.
    mutating func removeShelvesEmptied(since before: SessionRecords) {
        for session in before.filledSessions.subtracting(records.filledSessions)
        where session.kind.role == .shelf || session.kind == .backup {
            records[.session(session)] = nil
        }
    }
}

extension SessionRecords {
    /// Returns only the records of these sessions.
    func limited(to sessions: Set<SessionID>) -> SessionRecords {
        var limited = SessionRecords()
        for record in ordered where sessions.contains(record.session) {
            limited[record.item] = record
        }
        return limited
    }
}
