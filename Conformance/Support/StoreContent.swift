import BrowserSessions
import SessionSamples

/// All sessions and state that a store returns.
struct StoreContent: Equatable, Sendable {
    var sessions: [SessionID: RestoredSession] = [:]
    var states: [TabStateKey: [UInt8]] = [:]

    /// - Parameter partition: the partition to read; `nil` for both.
    static func read(_ store: any SessionStorage, partition: StoragePartition? = nil) async throws
        -> StoreContent
    {
        var content = StoreContent()
        for id in try await store.sessions() where partition == nil || id.partition == partition {
            content.sessions[id] = try await store.restore(id)
            let keys = try await store.stateKeys(in: id)
            content.states.merge(try await store.states(of: keys)) { first, _ in first }
        }
        return content
    }

    /// Makes the content that a store must return after it received these sessions.
    init(_ snapshots: [SessionSnapshot] = []) {
        for snapshot in snapshots {
            sessions[snapshot.id] = RestoredSession(
                id: snapshot.id, attributes: snapshot.attributes,
                tabs: snapshot.tabs.map(\.metadata), nodes: snapshot.nodes)
            for tab in snapshot.tabs {
                for (name, bytes) in tab.states {
                    let key = TabStateKey(
                        tab: tab.metadata.id, name: name, in: snapshot.id)
                    states[key] = bytes
                }
            }
        }
    }
}

/// Reads everything, and the states of tabs of ``Plain``, even if no session holds them.
func contents(of store: any SessionStorage, tabs: Range<Int> = 0..<0) async throws -> StoreContent {
    var content = try await StoreContent.read(store)
    try requireEqual(
        content.sessions.count, try await store.sessions().count,
        "the sessions of the list that can be restored")
    let states = try await store.states(of: tabs.map { Plain.key($0) })
    content.states.merge(states) { first, _ in first }
    return content
}

extension SessionSnapshot {
    /// The set that puts all the content.
    var creation: SessionChanges { SessionEdit(.openWindow, from: [], to: [self]).changes }
}
