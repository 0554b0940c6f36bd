import Synchronization

/// Counts reads that overlapped a write, so that a case about both can prove that it saw this.
final class OverlapCount: Sendable {
    private struct State {
        var begun = 0
        var ended = 0
        var overlaps = 0
        var isDone = false
    }

    private let state = Mutex(State())

    /// The number of reads that overlapped a write.
    var count: Int { state.withLock { $0.overlaps } }

    /// Whether all tasks are to stop.
    var isDone: Bool { state.withLock { $0.isDone } }

    func finish() { state.withLock { $0.isDone = true } }

    func writing(_ write: () async throws -> Void) async throws {
        state.withLock { $0.begun += 1 }
        defer { state.withLock { $0.ended += 1 } }
        try await write()
    }

    /// Counts the read if a write was under way when it began, or began before it ended.
    func reading<Success>(_ read: () async throws -> Success) async throws -> Success {
        let (begun, isWriting) = state.withLock { ($0.begun, $0.begun > $0.ended) }
        defer { state.withLock { if isWriting || $0.begun > begun { $0.overlaps += 1 } } }
        return try await read()
    }
}
