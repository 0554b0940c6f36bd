import BrowserModel
import BrowserSessions
import Expectations
import Foundation
import InMemoryLogging
import Logging
import SessionTesting

@testable import SessionRestoration

/// What becomes of a restorer that is not closed, or was never asked to restore.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct EndingTests {
    @Test func closingWithoutRestoringThrows() async throws {
        let host = Host()
        let window = try host.windows.open()
        try window.tabs.insert(Tab(url: "https://a.example/", title: "a"), as: .active)
        await #expect { try await host.restorer.close() } throws: {
            if case SessionRestorationError.notRestored = $0 { true } else { false }
        }
        // It may still be done.
        try await host.restorer.restore()
        try await host.restorer.close()
        expect(try await host.storedTitles(window) == ["a"])
    }

    @Test func oneThatCouldNotRestoreCanBeClosed() async throws {
        let host = Host()
        _ = try host.windows.open()
        host.storage.fail(.sessions, with: StorageError(.unavailable, "no"))
        await expect(throws: SessionRestorationError.self) { try await host.restorer.restore() }
        try await host.restorer.close()
    }

    @Test func signalsAreCaughtAgainAndByAll() async throws {
        for _ in 0..<2 {
            let first = TerminationSignals([.terminate])
            let second = TerminationSignals([.terminate])
            kill(getpid(), SIGTERM)
            for signals in [first, second] {
                for await signal in signals {
                    expect(signal, is: .terminate)
                    break
                }
            }
        }
    }

    @Test func closingOneThatHadNothingToSaveIsFine() async throws {
        try await Host().restorer.close()
    }

    private func words(_ log: InMemoryLogHandler, _ level: Logger.Level) -> [String] {
        log.entries.filter { $0.level == level }.map { "\($0.message)" }
    }

    @Test func oneThatIsLetGoLeavesAWordInTheLog() async throws {
        let log = InMemoryLogHandler()
        let windows = WindowList()
        for restores in [false, true] {
            let restorer = SessionRestorer(
                windows: windows, storage: MemoryStorage(),
                logger: Logger(label: "test") { _ in log })
            _ = try windows.open()
            if restores { try await restorer.restore() }
        }
        expect(
            words(log, .critical).map { $0.contains("restore() was never called") },
            is: [
                true, false,
            ])
        expect(words(log, .critical).last?.contains("close() was never called"), is: true)
    }

    @Test func restoringThatIsForgottenLeavesAWordInTheLog() async throws {
        let (criticals, sender) = AsyncStream<String>.makeStream()
        let clock = ManualClock()
        let windows = WindowList()
        let restorer = SessionRestorer(
            windows: windows, storage: MemoryStorage(), clock: clock,
            logger: Logger(label: "test") { _ in CriticalWords(sender: sender) })
        _ = try windows.open()
        await clock.waitForSleepers()
        clock.advance(by: restorer.policy.answerLimit)
        for await words in criticals {
            expect(words.contains("restore() was not called"))
            break
        }
        try await restorer.restore()
        try await restorer.close()
    }

    /// Passes on what is critical.
    private struct CriticalWords: LogHandler {
        let sender: AsyncStream<String>.Continuation
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.critical

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { sender.yield("\(event.message)") }
    }

    @Test func aProfileThatEndsWhileItsWindowsLiveLeavesAWordInTheLog() async throws {
        let log = InMemoryLogHandler()
        let profiles = ProfileManager(root: "profiles")
        let profile = try profiles.create(named: "default")
        let restorer = SessionRestorer(
            profile: profile, storage: MemoryStorage(), logger: Logger(label: "test") { _ in log })
        try await restorer.restore()
        let window = try profile.windows.open()
        profiles.endAll()
        await restorer.waitUntilIdle()
        expect(
            words(log, .warning).contains { $0.contains("the profile has ended while windows are") }
        )
        expect(!window.isClosed)
    }

    @Test func aNoteOfAnExitIsNoCrashAndNoOrderlyEnd() async throws {
        let host = try await Host.firstProcess()
        _ = try await host.window("a")
        var marker = try require(try await host.marker())
        marker.phase = .exited
        var changes = SessionChanges()
        changes.put(marker.attributes, for: LaunchMarker.session)
        _ = try await host.storage.base.save(changes, durability: .memory)
        let next = try await host.killed()
        expect(next.restorer.report?.launch.kind, is: .exited)
        expect(next.windows.map(\.titles), is: [["a"]])
    }
}
