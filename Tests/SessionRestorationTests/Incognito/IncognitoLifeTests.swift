import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

@MainActor @Suite(.timeLimit(.minutes(10)))
struct IncognitoLifeTests {
    private func incognitoSessions(_ host: Host) async throws -> [SessionID] {
        try await host.storage.base.sessions().filter { $0.partition == .incognito }
    }

    @Test func thePartitionIsDeletedWhenTheLastTabOfTheLastWindowCloses() async throws {
        let host = try await Host.launched()
        let first = try await host.window("a", kind: .incognito)
        let second = try await host.window("b", kind: .incognito)
        first.tabs.closeAll(reason: .user)
        await host.waitUntilIdle()
        expect(!host.seen.events.contains("incognitoDeleted"))
        second.tabs.closeAll(reason: .user)
        await host.waitUntilIdle()
        expect(host.seen.events.contains("incognitoDeleted"))
        expect(try await incognitoSessions(host).isEmpty)
        expect(host.windows.windows.isEmpty)
        expect(host.storage.calls(of: .deleteIncognito).count, is: 1)
    }

    /// A store in which private windows lie that it cannot open.
    private struct WithoutKey: StorageDecorator {
        let base: any SessionStorage = MemoryStorage()

        var traits: StorageTraits {
            var traits = base.traits
            traits.incognitoProblem = "the key is gone"
            traits.discardedIncognitoPartitions = 1
            return traits
        }
    }

    @Test func whatCannotBeReadOfThemIsInTheReport() async throws {
        let host = Host(storage: FaultyStorage(WithoutKey()))
        let report = try await host.restorer.restore()
        expect(report.unreadableIncognito == "the key is gone" && report.lostIncognitoKey)
        expect(report.description.contains("private windows could not be read"))
        expect(report.description.contains("private windows are gone with their key"))
    }

    @Test func nothingOfThemIsEverGivenToTheRegularPartition() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", kind: .incognito)
        try window.tab("a").visit("b")
        try await host.restorer.save()
        window.tabs.closeAll(reason: .user)
        try await host.restorer.save()
        let tabs = host.storage.calls.filter { $0.sessionIDs.contains { $0.partition == .regular } }
        expect(tabs.allSatisfy { $0.tabIDs.isEmpty })
    }

    @Test func dropAtLaunchDropsWhatAnEarlierProcessLeft() async throws {
        let before = try await Host.launched()
        _ = try await before.window("a", "b", kind: .incognito)
        let host = try await before.relaunched(policy: .with { $0.incognito = .dropAtLaunch })
        expect(host.windows.windows.isEmpty)
        expect(host.restorer.report?.droppedIncognitoTabs, is: 2)
        expect(try await incognitoSessions(host).isEmpty)
    }

    @Test func neverSaveNeverGivesThemToTheStore() async throws {
        let host = try await Host.launched(policy: .with { $0.incognito = .neverSave })
        let window = try await host.window("a", kind: .incognito)
        try window.tab("a").visit("b")
        try await host.restorer.save()
        expect(host.storage.savedChanges.allSatisfy { $0.isEmpty })
        expect(try await incognitoSessions(host).isEmpty)
        window.tabs.closeAll(reason: .user)
        await host.waitUntilIdle()
        expect(host.seen.events.contains("incognitoDeleted"))
    }

    @Test func aDeletionThatFailsIsTriedAgain() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", kind: .incognito)
        host.storage.fail(.deleteIncognito, with: StorageError(.keyUnavailable, "no answer"))
        window.tabs.closeAll(reason: .user)
        await host.waitUntilIdle()
        expect(!host.seen.failures.isEmpty)
        host.clock.advance(by: .seconds(60))
        await host.waitUntilIdle()
        expect(host.seen.events.contains("incognitoDeleted"))
        expect(try await incognitoSessions(host).isEmpty)
    }

    @Test func aSaveThatFailsIsNotRepeatedEvenIfTheDeletionFailsToo() async throws {
        let host = try await Host.launched()
        let window = try host.windows.incognito.open()
        try window.addUnsaved("a", then: "b")
        host.storage.hang(.save)
        host.storage.fail(.save, with: StorageError(.failed, "input/output error"))
        host.storage.fail(.deleteIncognito, with: StorageError(.keyUnavailable, "no answer"))
        host.clock.advance(by: host.restorer.policy.saveDelay)
        await host.storage.waitForHangingCalls()
        window.tabs.closeAll(reason: .user)
        await host.waitUntilAllHasBegun()
        host.storage.release()
        await host.waitUntilIdle()
        expect(host.seen.failures.map(\.code), is: [.failed, .keyUnavailable])
        host.clock.advance(by: try require(host.restorer.policy.retryDelays.first))
        await host.waitUntilIdle()
        expect(try await incognitoSessions(host).isEmpty)
    }

    @Test func aWindowOpenedWhileThePartitionIsDeletedIsSaved() async throws {
        let host = try await Host.launched()
        let (regular, old) = (
            try await host.window("r"), try await host.window("old", kind: .incognito)
        )
        try await host.hangSave { try regular.tab("r").setTitle("r2") }
        old.tabs.closeAll(reason: .user)
        await host.waitUntilAllHasBegun()
        expect(host.windows.incognito.window(old.id) == nil)
        let new = try host.windows.incognito.open()
        try new.tabs.insert(Tab(url: "https://new.example/", title: "new"), as: .active)
        host.storage.release()
        await host.waitUntilIdle()
        expect(host.seen.events.contains("incognitoDeleted"))
        try await host.restorer.save()
        let next = try await host.relaunched()
        let restored = try require(next.windows.incognito.window(new.id))
        expect(
            try await next.restorer.states.state(of: restored.tab("new")).history.entries.count == 1
        )
        expect(next.windows.incognito.window(old.id) == nil)
    }

    @Test func theIncognitoProfileEndsAndCanBeginAgain() async throws {
        let clock = ManualClock()
        let manager = ProfileManager(root: "/profiles")
        let profile = try manager.create(named: "default")
        let restorer = SessionRestorer(profile: profile, storage: MemoryStorage(), clock: clock)
        let seen = RecordingObserver()
        restorer.addObserver(seen)
        try await restorer.restore()
        expect(profile.incognito == nil)
        let window = try profile.windows.incognito.open()
        expect(profile.incognito != nil)
        try window.tabs.insert(Tab(url: "https://a.example/"))
        window.tabs.closeAll(reason: .user)
        await restorer.waitUntilIdle()
        expect(seen.events.contains("incognitoDeleted"))
        expect(profile.incognito == nil)
        try profile.windows.incognito.open()
        expect(profile.incognito != nil)
    }
}
