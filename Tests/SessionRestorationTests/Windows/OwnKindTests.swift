import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// A host's own kinds of session behave as their role says.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct OwnKindTests {
    private static let panel: SessionKind = "panel"

    @Test func aClosedTabComesBackToItsWindow() async throws {
        let host = try await Host.launched()
        let panel = try await host.window("a", "b", kind: Self.panel)
        try panel.tabs.close(panel.tabs[0])
        expect(try host.restorer.closed.reopenLast().map(\.title) == ["a"])
        expect(panel.titles, is: ["a", "b"])
        let window = try await host.window("w")
        try panel.tabs.close(panel.tabs[0])
        let next = try await host.relaunched()
        try next.restorer.closed.reopenLast()
        expect(next.windows.window(panel.id, kind: Self.panel)?.titles, is: ["a", "b"])
        expect(next.windows.window(window.id)?.titles, is: ["w"])
    }

    @Test func aClosedTabOfAClosedWindowComesToOneOfItsKindOrARegularOne() async throws {
        let host = try await Host.launched()
        let panel = try await host.window("a", "b", kind: Self.panel)
        let other = try await host.window("c", kind: Self.panel)
        let window = try await host.window("w")
        try panel.tabs.close(panel.tabs[0])
        try host.windows.close(panel)
        try host.restorer.closed.reopenLast()
        expect(other.titles, is: ["a", "c"])
        try other.tabs.close(other.tabs[0])
        try host.windows.close(other)
        try host.restorer.closed.reopenLast(in: window)
        expect(window.titles, is: ["a", "w"])
    }

    @Test func aClosedWindowIsOfferedReopenedAndPurged() async throws {
        let host = try await Host.launched()
        _ = try await host.window("w")
        let panel = try await host.window("a", kind: Self.panel)
        try host.windows.close(panel)
        expect(host.restorer.closed.windows.map(\.kind), is: [Self.panel])
        try await host.restorer.save()
        let next = try await host.relaunched()
        expect(next.windows.map(\.titles), is: [["w"]])
        let item = try require(next.restorer.closed.items.first)
        guard case .window(let closed) = item.content else { throw Unexpected() }
        expect(closed.sessionID == panel.sessionID && item.title == "a")
        expect(next.windows.ids.reserve(kind: Self.panel).id, is: panel.id)
        let again = try await next.restorer.savedWindows.open(closed.id, kind: closed.kind)
        expect(again.titles == ["a"] && again.kind == Self.panel)
        try next.windows.close(again)
        next.clock.advance(by: next.restorer.policy.closed.maximumAge + .seconds(1))
        expect(try await next.restorer.savedWindows.purge().windows == [panel.id])
        expect(try await next.stored(panel.sessionID) == nil)
    }

    private struct Unexpected: Error {}

    @Test func windowsOfTwoKindsMayShareAnIdentifier() async throws {
        let host = try await Host.launched()
        let window = try await host.window("w")
        let panel = try host.windows.open(window.id, kind: Self.panel)
        try panel.tabs.insert(Tab(url: "https://p.example/", title: "p"), as: .active)
        expect(throws: WindowListError.self) { try host.windows.open(window.id, kind: Self.panel) }
        try host.windows.close(window)
        expect(host.windows.map(\.titles), is: [["p"]])
        expect(host.restorer.closed.windows.map(\.kind), is: [.regular])
        try await host.restorer.savedWindows.open(window.id)
        expect(host.windows.map(\.titles), is: [["p"], ["w"]])
    }

    @Test func anEmptyOneReturnsWithItsTitle() async throws {
        let host = try await Host.launched()
        let panel = try host.windows.open(kind: Self.panel)
        panel.title = "Later"
        try await host.restorer.save()
        let next = try await host.relaunched()
        expect(next.windows.map(\.title), is: ["Later"])
        expect(next.windows.first?.kind, is: Self.panel)
    }

    @Test func unusedTabsAreClosedInThemToo() async throws {
        let host = try await Host.launched()
        let panel = try await host.window("a", "b", kind: Self.panel)
        host.clock.advance(by: .seconds(60))
        let closed = try host.restorer.closed.closeTabs(notUsedSince: host.clock.timestamp)
        expect(closed.map(\.title) == ["a"] && panel.titles == ["b"])
        expect(try host.restorer.closed.reopenLast().count == 1)
        expect(panel.titles, is: ["a", "b"])
    }

    @Test func whatWasSetAsideComesBackAsItsKind() async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a", "b", kind: Self.panel)
        let host = try await first.killed().killed()
        let aside = try require(host.restorer.setAside.sessions.first)
        let again = try await host.restorer.setAside.bringBack(aside.id)
        expect(again.kind == Self.panel && again.titles == ["a", "b"])
    }

    @Test func aCompanionOfAHostComesAndGoesWithItsWindowAndIsNoWindow() async throws {
        let host = try await Host.launched()
        _ = try await host.window("home")
        let window = try await host.window("a")
        let notes = try host.windows.open(window.id, kind: "companion-notes")
        try notes.tabs.insert(Tab(url: "https://n.example/", title: "n"))
        expect(host.windows.count == 2 && host.windows.last === window)
        expect(host.windows.windows(of: "companion-notes").count, is: 1)
        try await host.restorer.save()
        let next = try await host.relaunched()
        let report = try require(next.restorer.report)
        expect(report.description, is: "2 windows with 2 tabs came back")
        expect(report.windows.count == 2 && report.companions.map(\.tabs) == [1])
        try next.windows.close(try require(next.windows.window(window.id)))
        expect(next.windows.windows(of: "companion-notes").isEmpty)
        try await next.restorer.savedWindows.open(window.id)
        expect(next.windows.window(window.id, kind: "companion-notes")?.titles, is: ["n"])
        try next.windows.close(try require(next.windows.window(window.id)))
        try await next.restorer.savedWindows.discard([window.id])
        expect(try await next.stored(notes.sessionID) == nil)
    }

    @Test func privateCompanionsComeAndGoWithTheirWindow() async throws {
        let host = try await Host.launched()
        let window = try await host.window("s", kind: .incognito)
        for kind: SessionKind in ["incognito-companion-x", "incognito-shelf-y"] {
            let other = try host.windows.incognito.open(window.id, kind: kind)
            try other.tabs.insert(Tab(url: "https://x.example/", title: "x"))
        }
        try await host.restorer.save()
        let next = try await host.relaunched()
        let secret = next.windows.incognito
        expect(secret.map(\.titles), is: [["s"]])
        expect(secret.window(window.id, kind: "incognito-companion-x")?.titles, is: ["x"])
        expect(secret.windows(of: "incognito-shelf-y").isEmpty)
        secret.first?.tabs.closeAll(reason: .user)
        await next.waitUntilIdle()
        expect(try await next.storage.base.sessions().allSatisfy { $0.partition == .regular })
    }

    @Test func aShelfOfAHostIsKeptAndNeverOpenedByItself() async throws {
        let host = try await Host.launched()
        _ = try await host.window("a", kind: "shelf-later")
        let next = try await host.relaunched()
        expect(next.windows.windows.isEmpty)
        expect(try await next.storage.base.sessions().contains { $0.kind == "shelf-later" })
    }

    @Test func theReportSaysWhichTabsAreInactiveAndWhichArePrivate() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c")
        _ = try await host.window("secret", kind: .incognito)
        let age = try require(host.restorer.policy.inactiveAge)
        host.clock.advance(by: age + .seconds(1))
        try window.tab("c").wasShown(at: host.clock.timestamp)
        try await host.restorer.save()
        let next = try await host.relaunched()
        let text = "1 window with 3 tabs came back, 2 of them inactive; 1 private window with 1 tab"
        expect(next.restorer.report?.description, is: text)
        expect(next.restorer.report?.newlyInactiveTabs, is: 2)
        try await next.restorer.save()
        let last = try await next.relaunched()
        expect(last.restorer.report?.description, is: text)
        expect(last.restorer.report?.newlyInactiveTabs, is: 0)
        expect(try last.restorer.inactive.reactivateAll() == 2)
        expect(last.windows.first?.titles.count, is: 3)
    }
}
