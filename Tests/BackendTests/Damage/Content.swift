import BrowserSessions

/// Everything that a store gives back, and what it says it cannot.
struct Content: Equatable {
    /// `nil` if listing the sessions failed as corrupted.
    var ids: [SessionID]?
    var sessions: [SessionID: RestoredSession] = [:]
    /// Sessions that could not be restored because they are corrupted.
    var unreadable: Set<SessionID> = []
    var states: [TabStateKey: [UInt8]] = [:]
    var unreadableStates: Set<TabStateKey> = []
    var losses: [Loss] = []
    var quarantined: [String] = []
    var discardedIncognitoPartitions = 0

    /// Reads the sessions that the store lists, and those of `expected`. Errors other than
    /// `corrupted` are thrown.
    static func read(_ store: any SessionStorage, and expected: SavedHistory) async throws
        -> Content
    {
        var content = Content()
        content.ids = try await unlessCorrupted { try await store.sessions() }
        let asked = Set(content.ids ?? []).union(expected.current.keys)
        var keys = Set(expected.current.values.flatMap(\.blobs.keys))
        for id in asked.sorted() {
            let answer = try await unlessCorrupted { Answer(try await store.restore(id)) }
            guard let answer else {
                content.unreadable.insert(id)
                continue
            }
            content.sessions[id] = answer.session
            keys.formUnion(try await store.stateKeys(in: id))
        }
        for key in keys {
            let answer = try await unlessCorrupted { BlobAnswer(try await store.state(of: key)) }
            if answer == nil { content.unreadableStates.insert(key) }
            content.states[key] = answer?.bytes
        }
        let report = try await store.check()
        content.losses = report.losses
        content.quarantined = report.quarantined
        content.discardedIncognitoPartitions = report.discardedIncognitoPartitions
        return content
    }

    private struct Answer {
        var session: RestoredSession?
        init(_ session: RestoredSession?) { self.session = session }
    }

    private struct BlobAnswer {
        var bytes: [UInt8]?
        init(_ bytes: [UInt8]?) { self.bytes = bytes }
    }

    private static func unlessCorrupted<Success>(_ call: () async throws -> Success) async throws
        -> Success?
    {
        do {
            return try await call()
        } catch let error as StorageError {
            guard error.code == .corrupted else { throw error }
            return nil
        }
    }

    /// Whether the sessions of a partition and their state are exactly these.
    func holds(_ sessions: [SessionID: SessionSnapshot], in partition: StoragePartition) -> Bool {
        let listed = Set((ids ?? []).filter { $0.partition == partition })
        return listed == Set(sessions.keys) && includes(sessions)
    }

    /// Whether these sessions and their state are there.
    func includes(_ sessions: [SessionID: SessionSnapshot]) -> Bool {
        sessions.values.allSatisfy { expected in
            guard let restored = self.sessions[expected.id], expected.equals(restored) else {
                return false
            }
            return expected.blobs.allSatisfy { states[$0.key] == $0.value }
        }
    }
}
