import BrowserSessions
import SessionSamples

/// Everything that a store gives back of sessions and state.
struct StoreContent: Equatable, Sendable {
    var sessions: [SessionID: RestoredSession] = [:]
    var states: [TabStateKey: [UInt8]] = [:]

    /// - Parameter side: only what is on that side.
    static func read(_ store: any SessionStorage, side: StorageSide? = nil) async throws
        -> StoreContent
    {
        var content = StoreContent()
        for id in try await store.sessions() where side == nil || id.side == side {
            content.sessions[id] = try await store.restore(id)
            let keys = try await store.stateKeys(in: id)
            content.states.merge(try await store.state(of: keys)) { first, _ in first }
        }
        return content
    }

    /// What a store must give back that was told these sessions.
    init(_ snapshots: [SessionSnapshot] = []) {
        for snapshot in snapshots {
            sessions[snapshot.id] = RestoredSession(
                id: snapshot.id, attributes: snapshot.attributes,
                tabs: snapshot.tabs.map(\.metadata))
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

extension SessionSnapshot {
    /// Puts all of it.
    var creation: SessionChanges { SessionEdit(.openWindow, from: [], to: [self]).changes }
}
