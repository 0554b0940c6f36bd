import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

@MainActor @Suite("An observer that writes down what it hears", .timeLimit(.minutes(10)))
struct RecordingObserverTests {
    @Test func eventsOfListsWindowsAndRestorersAreInOneOrder() async throws {
        let windows = WindowList()
        let restorer = SessionRestorer(
            windows: windows, storage: MemoryStorage(), clock: ManualClock())
        let seen = RecordingObserver()
        restorer.addObserver(seen)
        windows.addObserver(seen)
        try await restorer.restore()
        let window = try windows.open()
        window.tabs.addObserver(seen)
        try window.tabs.insert(Tab(url: "https://a.example/", title: "A"), as: .active)
        try await restorer.save()
        let expected = [
            "willRestore", "didRestore", "opened", "inserted", "activated", "shown", "willSave",
            "saved",
        ]
        expect(seen.events, is: expected)
        expect(seen.saves.map(\.partition), is: [.regular])
        seen.reset()
        expect(seen.events.isEmpty && seen.restorations.isEmpty)
    }

    @Test func failuresAreKeptWithTheirErrors() async throws {
        let windows = WindowList()
        let storage = FaultyStorage()
        let restorer = SessionRestorer(windows: windows, storage: storage)
        let seen = RecordingObserver()
        restorer.addObserver(seen)
        try await restorer.restore()
        storage.fail(.save, with: StorageError(.outOfSpace, "the disk is full"))
        try windows.open()
        try? await restorer.save()
        expect(seen.failures.map(\.code), is: [.outOfSpace])
    }

    @Test func savesCanBeAwaited() async throws {
        let clock = ManualClock()
        let windows = WindowList()
        let restorer = SessionRestorer(windows: windows, storage: MemoryStorage(), clock: clock)
        let seen = RecordingObserver()
        restorer.addObserver(seen)
        try await restorer.restore()
        try windows.open()
        clock.advance(by: restorer.policy.saveDelay)
        await seen.waitForSaves()
        expect(seen.saves.count, is: 1)
        try windows.open()
        clock.advance(by: restorer.policy.saveDelay)
        await seen.waitForSaves(2)
        expect(seen.saves.count, is: 2)
    }

    @Test func waitingReturnsAtOnceWhenTheConditionHolds() async throws {
        let seen = RecordingObserver()
        let windows = WindowList()
        windows.addObserver(seen)
        try windows.open()
        await seen.wait { $0.events == ["opened"] }
        await seen.waitForSaves(0)
        expect(seen.events, is: ["opened"])
    }

    @Test func eachOfSeveralWaitsEndsWithItsOwnEvent() async throws {
        let seen = RecordingObserver()
        let windows = WindowList()
        windows.addObserver(seen)
        let steps = RecordedSteps()
        for count in [3, 1, 2] {
            Task {
                steps.note("waits for \(count)")
                await seen.wait { $0.events.count >= count }
                steps.note("\(count) of \(seen.events.count)")
            }
        }
        await steps.wait(for: 3)
        for number in 1...3 {
            try windows.open()
            await steps.wait(for: 3 + number)
        }
        expect(steps.all.suffix(3), is: ["1 of 1", "2 of 2", "3 of 3"])
    }

    @Test func waitingGoesOnAfterAReset() async throws {
        let seen = RecordingObserver()
        let windows = WindowList()
        windows.addObserver(seen)
        let steps = RecordedSteps()
        Task {
            steps.note("waits")
            await seen.wait { $0.events.count >= 2 }
            steps.note("heard \(seen.events)")
        }
        await steps.wait(for: 1)
        let window = try windows.open()
        seen.reset()
        try windows.close(window)
        await steps.wait(for: 2)
        expect(steps.all.last, is: #"heard ["willClose", "closed"]"#)
    }

    @Test(arguments: [false, true])
    func waitingEndsWhenItsTaskIsCancelled(whileItWaits: Bool) async {
        let seen = RecordingObserver()
        let steps = RecordedSteps()
        let task = Task {
            steps.note("waits")
            await seen.waitForSaves()
            steps.note("ended with \(seen.saves.count) saves")
        }
        if whileItWaits { await steps.wait(for: 1) }
        task.cancel()
        await steps.wait(for: 2)
        expect(steps.all, is: ["waits", "ended with 0 saves"])
    }
}

/// What tasks of a test did, in order, on the main actor.
@MainActor private final class RecordedSteps {
    private(set) var all: [String] = []
    private let (signals, signal) = AsyncStream<Void>.makeStream()

    func note(_ step: String) {
        all.append(step)
        signal.yield()
    }

    /// Returns once there are so many; only one task may wait.
    func wait(for count: Int) async {
        guard all.count < count else { return }
        for await _ in signals where all.count >= count { return }
    }
}
