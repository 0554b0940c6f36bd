package import BrowserSessions

/// All records of sessions by what they describe, in the order of the sessions.
struct SessionRecords {
    private(set) var records: [SessionItem: SessionRecord] = [:]
    /// The items in order: each session with its nodes and tabs.
    private(set) var order: [SessionItem] = []

    /// - Parameter isAny: whether sessions without a history are among them, too.
    init(_ sessions: [RestoredSession] = [], ofAnyKind isAny: Bool = false) {
        let sessions = sessions.filter { isAny || $0.id.keepsHistory }
        let count = sessions.reduce(0) { $0 + 1 + $1.tabs.count + $1.nodes.count }
        records.reserveCapacity(count)
        order.reserveCapacity(count)
        for session in sessions {
            for record in session.records { add(record) }
        }
    }

    /// A tab that several sessions have is in the first of them.
    private mutating func add(_ record: SessionRecord) {
        let item = record.item
        guard records[item] == nil else { return }
        records[item] = record
        order.append(item)
    }

    subscript(item: SessionItem) -> SessionRecord? {
        get { records[item] }
        set {
            if records[item] == nil, newValue != nil { order.append(item) }
            records[item] = newValue
        }
    }

    /// Returns the record of a tab or another node by its identifier; `nil` if there is none.
    func element(_ id: NodeID) -> SessionRecord? {
        records[.node(id)] ?? records[.tab(TabID(id))]
    }

    /// Returns the attributes of a session; `nil` if it is not there.
    func attributes(_ id: SessionID) -> SessionAttributes? { records[.session(id)]?.attributes }

    /// The sessions that have tabs or other nodes.
    var filledSessions: Set<SessionID> {
        Set(records.values.lazy.filter { $0.nodeID != nil }.map(\.session))
    }

    /// The records in order. What was removed and added again may come twice in ``order``.
    var ordered: [SessionRecord] {
        var seen: Set<SessionItem> = []
        return order.compactMap { seen.insert($0).inserted ? records[$0] : nil }
    }

    /// The sessions with their nodes and tabs in order.
    var sessions: [SessionID: RestoredSession] {
        var sessions: [SessionID: RestoredSession] = [:]
        for record in ordered {
            let id = record.session
            sessions[
                id, default: RestoredSession(id: id, attributes: SessionAttributes(), tabs: [])
            ].add(record)
        }
        return sessions
    }
}

extension SessionID {
    /// Whether differences and plans concern the session: it is in the regular partition, and no note.
    package var keepsHistory: Bool { partition == .regular && kind.role != .notes }
}
