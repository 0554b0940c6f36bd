import BrowserModel
import BrowserSessions
import Expectations
import InMemoryLogging
import Logging
import SessionTesting

@testable import SessionRestoration

/// A restorer lives and ends with the profile that it is for.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ProfileLifeTests {
    private let profiles = ProfileManager(root: "/profiles")
    private let storage = FaultyStorage()

    @Test func aRestorerThatNobodyElseKeepsSavesAllTheSame() async throws {
        let profile = try profiles.create(named: "default")
        weak var kept: SessionRestorer?
        do {
            let restorer = SessionRestorer(profile: profile, storage: storage)
            kept = restorer
            try await restorer.restore()
        }
        let window = try profile.windows.open()
        try window.tabs.insert(Tab(url: "https://a.example/", title: "a"))
        try await require(kept).save()
        expect(try await storage.base.restore(window.sessionID, at: .current)?.tabs.count == 1)
    }

    @Test func aProfileThatEndsSavesAndClosesItsRestorer() async throws {
        let profile = try profiles.create(named: "default")
        let restorer = SessionRestorer(profile: profile, storage: storage)
        try await restorer.restore()
        let window = try profile.windows.open()
        try window.tabs.insert(Tab(url: "https://a.example/", title: "a"))
        profile.end()
        await restorer.waitUntilIdle()
        expect(try await storage.base.restore(window.sessionID, at: .current)?.tabs.count == 1)
        await expect(throws: SessionRestorationError.self) { try await restorer.save() }
        let marker = try await storage.base.restore(LaunchMarker.session, at: .current)
        expect(marker.flatMap { LaunchMarker($0.attributes) }?.phase, is: .clean)
    }

    @Test func theIncognitoPartitionLastsAsLongAsATabOnItsWay() async throws {
        let profile = try profiles.create(named: "default")
        let restorer = SessionRestorer(profile: profile, storage: storage)
        try await restorer.restore()
        let old = try profile.createIncognito().windows.open()
        try old.tabs.insert(Tab(url: "https://old.example/", title: "old"))
        try await restorer.save()
        storage.hang(.deleteIncognito)
        old.tabs.closeAll(reason: .user)
        await storage.waitForHangingCalls()
        let window = try profile.createIncognito().windows.open()
        try window.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        let tab = try window.tabs.detach(window.tabs[0])
        try profile.windows.incognito.close(window)
        storage.release()
        await restorer.waitUntilIdle()
        expect(profile.incognito != nil)
        tab.close()
        await restorer.waitUntilIdle()
        expect(profile.incognito == nil)
        expect(try await storage.base.sessions().allSatisfy { $0.partition == .regular })
    }

    @Test func theReportIsOneLineForPeople() async throws {
        let host = try await Host.firstProcess()
        _ = try await host.window("a", "b")
        let next = try await host.killed()
        expect(next.restorer.report?.description, is: "1 window with 2 tabs came back")
        let third = try await next.killed()
        expect(
            third.restorer.report?.description,
            is: "nothing came back; 2 tabs of 1 window are set aside (crash-loop)")
        expect(
            third.log.entries.contains {
                $0.level == .warning && "\($0.message)".contains("set aside: offer")
            })
        let fourth = try await third.killed(boot: "another")
        expect(fourth.log.entries.contains { "\($0.message)".contains("set aside: offer") })
    }
}
