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
struct ExitNote: Sendable {
    var storage: any SessionStorage
    var restorer: RestorerID
    var age: StoreAge.Reader
    var clock: WallClock

    /// Notes an exit from now on. Holds the store, because objects that `main` holds are released before
    /// the process exits.
    func arm() { ExitNotes.process.set(self, for: restorer) }

    /// Stops noting an exit for a restorer, because its end is noted or needs no note.
    static func disarm(_ restorer: RestorerID) { ExitNotes.process.set(nil, for: restorer) }

    fileprivate func write() async throws(StorageError) {
        let found = try await storage.restore(LaunchMarker.session)
        guard var marker = found.flatMap({ LaunchMarker($0.attributes) }),
            marker.restorer == restorer, marker.phase != .clean
        else { return }
        marker.phase = .exited
        marker.age = age.now
        marker.aliveAt = clock.now
        var changes = SessionChanges()
        changes.put(marker.attributes, for: LaunchMarker.session)
        try await storage.save(
            changes, durability: min(.processCrash, storage.traits.greatestDurability))
    }
}

/// The notes to write when the process exits. There is one list, because a process has one end.
private final class ExitNotes: Sendable {
    static let process = ExitNotes()

    private struct State {
        var isInstalled = false
        var armed: [RestorerID: ExitNote] = [:]
    }

    private let state = Mutex(State())
    /// The longest time that an exit waits for all stores together.
    private static let limit = DispatchTimeInterval.seconds(2)

    func set(_ note: ExitNote?, for restorer: RestorerID) {
        let isFirst = state.withLock { state in
            state.armed[restorer] = note
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
        for note in all {
            group.enter()
            Task.detached {
                // The process ends, so that a failure cannot be reported.
                try? await note.write()
                group.leave()
            }
        }
        // waits: for the stores' answers, at the end of the process, where nothing asynchronous continues
        _ = group.wait(timeout: .now() + Self.limit)
    }
}
