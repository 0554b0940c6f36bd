import BrowserModel
import BrowserSessions
import SessionRestoration
import SessionSamples
import SessionTesting
import TestSupport
import Testing

/// A host as small as possible: one window, saved one delay after it changed.
private actor Host {
    private let storage: any SessionStorage
    private let clock: any Clock<Duration>
    private(set) var window: RestoredSession?
    private var unsaved: SessionSnapshot?
    private var saving: Task<Void, any Error>?

    init(storage: any SessionStorage, clock: any Clock<Duration>) {
        self.storage = storage
        self.clock = clock
    }

    func show(_ window: SessionSnapshot) {
        unsaved = window
        guard saving == nil else { return }
        saving = Task { try await saveUntilItWorks() }
    }

    func restore(_ id: SessionID) async throws { window = try await storage.restore(id) }

    private func saveUntilItWorks() async throws {
        while let window = unsaved {
            try await clock.sleep(for: .seconds(2.5))
            let isSaved = (try? await storage.save(SessionChanges(saving: window))) != nil
            if isSaved, unsaved == window { unsaved = nil }
        }
        saving = nil
    }
}

/// The examples of SessionTesting.md.
@Suite("The examples in the documentation", .timeLimit(.minutes(10)))
struct ExampleTests {
    private static func samples() -> (SessionSnapshot, SessionSnapshot) {
        var sampler = SessionSampler(seed: 1)
        let window = sampler.window(tabs: 3)
        var changed = window
        changed.attributes.title = "renamed"
        return (window, changed)
    }

    @Test func hostIsTestedWithoutFilesAndWithoutTime() async throws {
        let (window, changed) = Self.samples()

        let clock = ManualClock()
        let memory = MemoryStorage()
        let storage = FaultyStorage(memory)
        let host = Host(storage: storage, clock: clock)
        await host.show(window)
        await clock.waitForSleepers()
        #expect(storage.calls == [])
        clock.advance(by: .seconds(2.5))
        await storage.waitForAnswers(of: .save)
        #expect(memory.snapshots == [window])

        storage.fail(.save, with: StorageError(.outOfSpace, "the disk is full"), on: .first(2))
        await host.show(changed)
        for attempt in 2...4 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(2.5))
            await storage.waitForAnswers(of: .save, count: attempt)
        }
        #expect(memory.snapshots == [changed])

        let next = FaultyStorage(memory.reopened())
        let relaunched = Host(storage: next, clock: clock)
        try await relaunched.restore(window.id)
        #expect(await relaunched.window?.tabs.map(\.id) == window.tabs.map(\.metadata.id))
        #expect(next.statesRead == 0)
    }

    @Test @MainActor func aRestorerIsTestedWhenItIsIdle() async throws {
        let clock = ManualClock()
        let storage = FaultyStorage()
        let windows = WindowList(now: { clock.timestamp })

        let restorer = SessionRestorer(windows: windows, storage: storage, clock: clock)
        try await restorer.restore()
        let tab = try open("https://example.org/", in: windows)
        storage.forgetCalls()
        clock.advance(by: .milliseconds(2400))
        await restorer.waitUntilIdle()
        #expect(storage.calls(of: .save).isEmpty)
        clock.advance(by: .milliseconds(100))
        await restorer.waitUntilIdle()
        #expect(storage.calls(of: .save).first?.tabIDs == [tab.id])
        #expect(restorer.isSaved)

        let seen = RecordingObserver()
        restorer.addObserver(seen)
        tab.setTitle("Example")
        clock.advance(by: .seconds(2.5))
        await seen.waitForSaves()
        storage.fail(.save, with: StorageError(.outOfSpace, "the disk is full"))
        tab.setTitle("Another")
        clock.advance(by: .seconds(2.5))
        await seen.wait { !$0.failures.isEmpty }
        #expect(seen.saves.count == 1 && seen.failures.map(\.code) == [.outOfSpace])
    }

    @Test func aProfileHasTheClockOfTheTest() throws {
        let clock = ManualClock()

        let context = ApplicationContext(root: "profiles", now: { clock.timestamp })
        let profile = try context.profiles.create(named: "default")
        #expect(try profile.windows.open().attributes.createdAt == clock.timestamp)
        clock.setTimestamp(.unknown)
        #expect(profile.now() == .unknown)
    }

    @Test @MainActor func oneOfTwoWindowsCanNotBeRead() async throws {
        let clock = ManualClock()
        let memory = MemoryStorage()
        let windows = WindowList(now: { clock.timestamp })
        let restorer = SessionRestorer(windows: windows, storage: memory, clock: clock)
        try await restorer.restore()
        for url in ["https://example.org/", "https://swift.org/"] { _ = try open(url, in: windows) }
        try await restorer.close()
        let (broken, healthy) = (windows[0].sessionID, windows[1].sessionID)

        let saved = FaultyStorage(memory.reopened())
        saved.fail(.restore, of: broken, with: StorageError(.corrupted, "a bad block"), on: .every)
        let relaunched = SessionRestorer(windows: WindowList(), storage: saved, clock: clock)
        let report = try await relaunched.restore()
        #expect(report.unreadable.map(\.session) == [broken])
        #expect(report.windows.map(\.session) == [healthy])
    }

    @Test @MainActor func eachLaunchOfATestIsAProcessOfItsOwn() async throws {
        let clock = ManualClock()
        let memory = MemoryStorage()
        let windows = WindowList(now: { clock.timestamp })
        _ = try open("https://example.org/", in: windows)

        var policy = RestorationPolicy()
        policy.launchEnvironment = LaunchEnvironment(bootID: "boot", processID: 1)
        let killed = SessionRestorer(
            windows: windows, storage: memory, policy: policy, clock: clock)
        try await killed.restore()
        windows[0].enterForeground()
        try await killed.save()

        policy.launchEnvironment = LaunchEnvironment(bootID: "boot", processID: 2)
        let next = SessionRestorer(
            windows: WindowList(), storage: memory.reopened(), policy: policy, clock: clock)
        #expect(try await next.restore().launch.kind == .afterCrash(count: 1))
        try await next.close()
    }

    /// A tab in a window of its own.
    @MainActor private func open(_ url: String, in windows: WindowList) throws -> Tab {
        let tab = Tab(url: url)
        try windows.open().tabs.insert(tab)
        return tab
    }
}
