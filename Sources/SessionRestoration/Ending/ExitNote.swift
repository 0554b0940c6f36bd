import BrowserSessions
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Notes in the store that the process has exited, if it does so without closing its restorer.
///
/// A program that returns from `main`, or calls `exit`, has not crashed: it only did not say that it ends.
/// The C library calls ``ExitNotes`` at its end, after which a killed process never gets, nor one that traps. It
/// is the note of the launch alone that is written; what changed since the last save is lost.
final class ExitNote: Sendable {
    /// What is to be written where.
    struct Armed: Sendable {
        var storage: any SessionStorage
        var restorer: RestorerID
        var age: StoreAge.Reader
        var now: @Sendable () -> Timestamp
    }

    private let number = ExitNotes.process.newNumber()

    /// From now on an exit is noted, in that store, also if nothing else holds it any more: what `main`
    /// holds is let go before the process exits.
    func arm(_ armed: Armed) { ExitNotes.process.set(armed, for: number) }

    /// Whatever is to be noted of the end is noted.
    func disarm() { ExitNotes.process.set(nil, for: number) }

    fileprivate static func write(_ last: Armed) async throws(StorageError) {
        let found = try await last.storage.restore(LaunchMarker.session)
        guard var marker = found.flatMap({ LaunchMarker($0.attributes) }),
            marker.restorer == last.restorer, marker.phase != .clean
        else { return }
        marker.phase = .exited
        marker.age = last.age.now
        marker.aliveAt = last.now()
        var changes = SessionChanges()
        changes.put(marker.attributes, for: LaunchMarker.session)
        try await last.storage.save(
            changes, durability: min(.processCrash, last.storage.traits.greatestDurability))
    }
}

/// The notes that are due when the process exits: one list, as a process has one end.
private final class ExitNotes: Sendable {
    static let process = ExitNotes()

    private struct State {
        var lastNumber = 0
        var isInstalled = false
        var armed: [Int: ExitNote.Armed] = [:]
    }

    private let state = Mutex(State())
    /// Longer than that no exit waits for stores, however many there are.
    private static let limit = DispatchTimeInterval.seconds(2)

    func newNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    func set(_ armed: ExitNote.Armed?, for number: Int) {
        let isFirst = state.withLock { state in
            state.armed[number] = armed
            defer { state.isInstalled = true }
            return !state.isInstalled
        }
        if isFirst { atexit { ExitNotes.process.writeAll() } }
    }

    private func writeAll() {
        let all = state.withLock { state in
            defer { state.armed = [:] }
            return Array(state.armed.values)
        }
        let group = DispatchGroup()
        for armed in all {
            group.enter()
            Task.detached {
                // The process is at its end: a failure has no reader.
                try? await ExitNote.write(armed)
                group.leave()
            }
        }
        // waits: for the stores' answers, at the end of the process, where nothing asynchronous goes on
        _ = group.wait(timeout: .now() + Self.limit)
    }
}
