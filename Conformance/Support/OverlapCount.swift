import BrowserSessions
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

extension OverlapCount {
    /// Saves numbered sets, with and without a sync in turn, beside three tasks that read, until
    /// enough reads overlapped a save; returns how many did.
    ///
    /// - Parameter read: gets what the task's read before returned, at first 1, the number of the
    ///   first set.
    static func readers(
        besideSaves changes: @escaping @Sendable (Int) -> SessionChanges,
        to store: any SessionStorage, _ read: @escaping @Sendable (Int) async throws -> Int
    ) async throws -> Int {
        let overlaps = OverlapCount()
        _ = try await store.save(changes(1), durability: .memory)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var newest = 1
                    do {
                        while !overlaps.isDone {
                            newest = try await overlaps.reading { try await read(newest) }
                            // waits: a store that never suspends would keep others from a thread
                            await Task.yield()
                        }
                    } catch {
                        overlaps.finish()
                        throw error
                    }
                }
            }
            group.addTask {
                defer { overlaps.finish() }
                var number = 1
                while number < 40 || (overlaps.count < 30 && number < 5000) {
                    if overlaps.isDone { return }
                    number += 1
                    let set = changes(number)
                    let level = number % 2 == 0 ? .memory : store.traits.defaultDurability
                    try await overlaps.writing { _ = try await store.save(set, durability: level) }
                }
            }
            try await group.waitForAll()
        }
        return overlaps.count
    }
}
