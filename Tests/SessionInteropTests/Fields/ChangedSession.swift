import BrowserSessions
import StorageEngines

/// A session with one property of one record changed.
struct ChangedSession: CustomStringConvertible {
    /// The type and the property: `TabMetadata.url`.
    var field: String
    /// The property of the tab or of the session's attributes in which that is; `nil` for what is in a history.
    var outer: String?
    var attributes = FieldTables.attributes.base
    var nodes = FieldTables.nodes
    var tab = FieldTables.tab.base
    var history = FieldTables.history.base

    var description: String { field }

    static let base = ChangedSession(field: "nothing")

    /// One for each property of each record.
    static let all: [ChangedSession] = {
        func list<Record>(
            _ table: FieldTable<Record>, _ outer: String?,
            _ put: (Record, inout ChangedSession) -> Void
        ) -> [ChangedSession] {
            table.changes.map { change in
                var session = base
                session.field = "\(Record.self).\(change.field)"
                session.outer = outer ?? change.field
                put(change.record, &session)
                return session
            }
        }
        let ofTabs =
            list(FieldTables.tab, nil) { $1.tab = $0 }
            + list(FieldTables.opener, "opener") { $1.tab.opener = $0 }
        let ofWindows =
            list(FieldTables.attributes, nil) { $1.attributes = $0 }
            + list(FieldTables.node, nil) { $1.nodes[0] = $0 }
        var ofHistories =
            list(FieldTables.history, nil) { $1.history = $0 }
            + list(FieldTables.entry, nil) { $1.history.entries[1] = $0 }
            + list(FieldTables.header, nil) { $1.history.entries[1].requestHeaders = [$0] }
        for place in ofHistories.indices { ofHistories[place].outer = nil }
        return ofTabs + ofWindows + ofHistories
    }()

    private static let id = SessionID(window: WindowID(high: 7, low: 7))

    /// The session, with other tabs for what names them. Whether it obeys the rules is not asked.
    var snapshot: SessionSnapshot {
        let places = OrderKey.evenlySpaced(count: 9)
        func other(_ number: Int, _ place: Int, _ group: NodeID?) -> TabSnapshot {
            TabSnapshot(
                metadata: TabMetadata(
                    id: FieldTables.tabs[number], place: places[place],
                    url: "https://other-\(number).example/", group: group))
        }
        let changed = TabSnapshot(
            metadata: tab, states: [.navigation: history.encoded(), .native: [9]])
        return SessionSnapshot(
            id: Self.id, attributes: attributes,
            tabs: [
                other(0, 1, nil), other(1, 2, FieldTables.groups[0]), changed,
                other(3, 7, FieldTables.groups[1]),
            ], nodes: nodes)
    }

    /// The same as a store must give it back: with the rules of tab lists, and a branch below another tab.
    var legal: SessionSnapshot {
        var snapshot = snapshot
        if tab.edge == .branch {
            snapshot.tabs[2].metadata.parent = NodeID(snapshot.tabs[0].metadata.id)
        }
        var restored = RestoredSession(
            id: snapshot.id, attributes: snapshot.attributes,
            tabs: snapshot.tabs.map(\.metadata), nodes: snapshot.nodes)
        restored.repair()
        let states = Dictionary(
            uniqueKeysWithValues: snapshot.tabs.map { ($0.metadata.id, $0.states) })
        return SessionSnapshot(
            id: snapshot.id, attributes: restored.attributes,
            tabs: restored.tabs.map {
                TabSnapshot(metadata: $0, states: states[$0.id] ?? [:])
            }, nodes: restored.nodes)
    }
}
