import BrowserSessions
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Notes in the store that the process has exited, if it does so without closing its restorer.
///
/// A program that returns from `main`, or calls `exit`, has not crashed: it only did not say that it ends.
/// The C library calls this at its end, after which a killed process never gets, nor one that traps. It is
/// the note of the launch alone that is written; what changed since the last save is lost.
final class ExitNote: Sendable {
    /// What is to be written where.
    struct Armed: Sendable {
        var storage: any SessionStorage
        var restorer: RestorerID
        var age: StoreAge.Reader
        var now: @Sendable () -> Timestamp
    }

    private let armed = Mutex<Armed?>(nil)
    private let isInstalled = Mutex(false)
    /// Longer than that no exit waits for a store.
    private static let limit = DispatchTimeInterval.seconds(2)

    /// From now on an exit is noted, in that store.
    func arm(_ new: Armed) {
        armed.withLock { $0 = new }
        let wasInstalled = isInstalled.withLock { installed in
            defer { installed = true }
            return installed
        }
        if !wasInstalled { install() }
    }

    /// Whatever is to be noted of the end is noted.
    func disarm() { armed.withLock { $0 = nil } }

    #if canImport(Darwin)
        private func install() { atexit_b { self.processExits() } }
    #elseif canImport(Glibc)
        private func install() {
            on_exit(
                { _, note in
                    guard let note else { return }
                    Unmanaged<ExitNote>.fromOpaque(note).takeRetainedValue().processExits()
                }, Unmanaged.passRetained(self).toOpaque())
        }
    #else
        /// There is no way to be called with a context: an exit without ``SessionRestorer/close()`` counts
        /// as a crash.
        private func install() {}
    #endif

    private func processExits() {
        guard let last = armed.withLock({ $0.take() }) else { return }
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            // The process is at its end: a failure has no reader.
            try? await Self.note(last)
            done.signal()
        }
        // waits: for the store's answer, at the end of the process, where nothing asynchronous goes on
        _ = done.wait(timeout: .now() + Self.limit)
    }

    private static func note(_ last: Armed) async throws(StorageError) {
        let found = try await last.storage.restore(LaunchMarker.session)
        guard var marker = found.flatMap({ LaunchMarker($0.attributes) }),
            marker.restorer == last.restorer, marker.phase != .clean
        else { return }
        marker.phase = .exited
        marker.age = last.age.now
        marker.aliveAt = last.now()
        var changes = SessionChanges()
        changes.put(marker.attributes, for: LaunchMarker.session)
        _ = try await last.storage.save(
            changes, durability: min(.processCrash, last.storage.traits.greatestDurability))
    }
}
