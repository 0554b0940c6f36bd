import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

@MainActor @Suite(.timeLimit(.minutes(10)))
struct OpeningWindowsTests {
    @Test func aHostMayOpenItsWindowsOneByOne() async throws {
        let before = try await Host.launched()
        let (first, second) = (try await before.window("a"), try await before.window("b"))
        _ = try await before.window("c", kind: .incognito)
        let host = Host(storage: FaultyStorage(before.storage.base), clock: before.clock)
        let report = try await host.restorer.restore(.none)
        expect(report.windows.isEmpty && host.windows.windows.isEmpty)
        let reservations = [host.windows.ids.reserve(), host.windows.ids.reserve()]
        expect(Set(reservations.map(\.id)), is: [first.id, second.id])
        for reservation in reservations { try await host.restorer.savedWindows.open(reservation) }
        expect(host.windows.window(first.id)?.titles, is: ["a"])
        expect(host.windows.window(second.id)?.titles, is: ["b"])
        expect(host.windows.ids.openWindows.count, is: 2)
        expect(host.restorer.isSaved)
    }

    @Test func incognitoTabsOfWindowsNotOpenedYetAreNotTheLastOnes() async throws {
        let before = try await Host.launched()
        let (first, second) = (try await before.window("a"), try await before.window("b"))
        for window in [first, second] {
            let secret = try before.windows.incognito.open(window.id)
            try secret.tabs.insert(Tab(url: "https://secret.example/", title: "secret"))
        }
        try await before.restorer.save()
        let host = Host(storage: FaultyStorage(before.storage.base), clock: before.clock)
        try await host.restorer.restore(.none)
        try await host.restorer.savedWindows.open(first.id)
        host.windows.incognito.window(first.id)?.tabs.closeAll(reason: .user)
        try await host.restorer.save()
        await host.waitUntilIdle()
        try await host.restorer.savedWindows.open(second.id)
        expect(host.windows.incognito.window(second.id)?.titles, is: ["secret"])
        host.windows.incognito.window(second.id)?.tabs.closeAll(reason: .user)
        await host.waitUntilIdle()
        expect(host.seen.events.contains("incognitoDeleted"))
    }

    @Test func sentinelsAreNeverOpenedNorSaved() async throws {
        let host = try await Host.launched()
        await expect(throws: SessionRestorationError.self) {
            _ = try await host.restorer.savedWindows.open(.unavailable).id
        }
        try await host.restorer.save()
        expect(try await host.stored(SessionID(window: .unavailable)) == nil)
    }
}
