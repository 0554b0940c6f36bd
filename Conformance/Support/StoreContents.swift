import BrowserSessions

/// Everything that can be read from a store, for detecting changes.
struct Contents: Hashable, Sendable {
    var sessions: [RestoredSession]
    var states: [TabStateKey: [UInt8]]
}

/// Reads all sessions, the states of their tabs, and the states of tabs of ``Plain``, even if no
/// session holds them.
func contents(of store: any SessionStorage, tabs: Range<Int> = 0..<0) async throws -> Contents {
    var sessions: [RestoredSession] = []
    var keys = tabs.map { Plain.key($0) }
    for id in try await store.sessions() {
        guard let session = try await store.restore(id) else {
            throw Violation("a session of the list cannot be restored")
        }
        sessions.append(session)
        keys += try await store.stateKeys(in: id)
    }
    return Contents(sessions: sessions, states: try await store.state(of: keys))
}
