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

/// Notes in the store that the process exits without closing its restorer.
///
/// A program that returns from `main`, or calls `exit`, has not crashed; it only did not report its
/// end. The C library calls ``ExitNotes`` then, but not if the process is killed or traps. Only the
/// launch note is written; changes since the last save are lost.
final class ExitNote: Sendable {
    /// The note to write, and its store.
    struct Armed: Sendable {
        var storage: any SessionStorage
        var restorer: RestorerID
        var age: StoreAge.Reader
        var clock: WallClock
    }

    private let number = ExitNotes.process.newNumber()

    /// Notes an exit from now on, in the given store. Holds the store, because objects that `main`
    /// holds are released before the process exits.
    func arm(_ armed: Armed) { ExitNotes.process.set(armed, for: number) }

    /// Stops noting an exit, because the end is noted or needs no note.
    func disarm() { ExitNotes.process.set(nil, for: number) }

    fileprivate static func write(_ last: Armed) async throws(StorageError) {
        let found = try await last.storage.restore(LaunchMarker.session)
        guard var marker = found.flatMap({ LaunchMarker($0.attributes) }),
            marker.restorer == last.restorer, marker.phase != .clean
        else { return }
        marker.phase = .exited
        marker.age = last.age.now
        marker.aliveAt = last.clock.now
        var changes = SessionChanges()
        changes.put(marker.attributes, for: LaunchMarker.session)
        try await last.storage.save(
            changes, durability: min(.processCrash, last.storage.traits.greatestDurability))
    }
}

/// The notes to write when the process exits. There is one list, because a process has one end.
private final class ExitNotes: Sendable {
    static let process = ExitNotes()

    private struct State {
        var lastNumber = 0
        var isInstalled = false
        var armed: [Int: ExitNote.Armed] = [:]
    }

    private let state = Mutex(State())
    /// The longest time that an exit waits for all stores together.
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
                // The process ends, so that a failure cannot be reported.
                try? await ExitNote.write(armed)
                group.leave()
            }
        }
        // waits: for the stores' answers, at the end of the process, where nothing asynchronous continues
        _ = group.wait(timeout: .now() + Self.limit)
    }
}
