import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting
import TestSupport

@testable import demobrowser

/// The services as the browser and its user have them.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct BrowserServiceTests {
    private let storage = MemoryStorage()
    private let clock = ManualClock()

    private func launch(_ storage: MemoryStorage) async throws -> Browser {
        try await Browser(
            storage: storage, policy: RestorationPolicy(), now: { [clock] in clock.timestamp })
    }

    @discardableResult
    private func perform(_ line: String, in browser: Browser) async throws -> [String] {
        clock.advance(by: .seconds(1))
        return try await DemobrowserTests.perform(line, in: browser)
    }

    @Test func whatWasVisitedIsListedAndSuggested() async throws {
        let browser = try await launch(storage)
        try await perform("open demo:page/7", in: browser)
        try await perform("go demo:page/14", in: browser)
        expect(
            try await perform("visited", in: browser) == [
                "  Page 14 <demo:page/14>", "  Page 7 <demo:page/7>", "  Welcome <demo:welcome>",
            ])
        expect(
            try await perform("suggest PAGE", in: browser) == [
                "  Page 14 <demo:page/14> (open)", "  Page 7 <demo:page/7>",
            ])
        expect(
            try await perform("suggest nowhere", in: browser) == ["  (nothing is like 'nowhere')"])
    }

    @Test func clearingLeavesNothing() async throws {
        let browser = try await launch(storage)
        try await perform("open demo:page/7", in: browser)
        try await perform("open demo:page/8", in: browser)
        try await perform("close 2", in: browser)
        try await perform("incognito demo:page/777", in: browser)
        expect(try await perform("closed", in: browser).count == 1)
        let answer = try await perform("clear", in: browser)
        expect(answer, is: ["3 open tabs and 1 closed one are gone, also from the store's files"])
        expect(try await perform("closed", in: browser).isEmpty)
        expect(try await perform("visited", in: browser) == ["  Welcome <demo:welcome>"])
        try await browser.close()
        let next = try await launch(storage.reopened())
        expect(next.windows.flatMap(\.tabs).map(\.url), is: [PageServer.welcome])
        expect(next.incognito == nil)
    }

    @Test func whatWasNotUsedForLongIsClosedAndComesBack() async throws {
        let browser = try await launch(storage)
        try await perform("open demo:page/7", in: browser)
        try await perform("open demo:page/8", in: browser)
        clock.advance(by: .seconds(600))
        try await perform("select 3", in: browser)
        expect(try await perform("closeunused 5", in: browser) == ["2 tabs closed"])
        expect(browser.window.tabs.map(\.url), is: ["demo:page/8"])
        expect(try await perform("undo", in: browser).count == 2)
        expect(
            browser.window.tabs.map(\.url), is: [PageServer.welcome, "demo:page/7", "demo:page/8"])
    }

    @Test func pagesOfTabsThatComeBackAreKnownAgainButNotPrivateOnes() async throws {
        let browser = try await launch(storage)
        try await perform("open demo:page/7", in: browser)
        try await perform("incognito demo:page/777", in: browser)
        try await perform("open demo:page/8", in: browser)
        try await browser.close()
        let next = try await launch(storage.reopened())
        expect(next.incognito?.tabs.map(\.url), is: ["demo:page/777"])
        expect(
            try await perform("visited", in: next) == [
                "  Page 8 <demo:page/8>", "  Page 7 <demo:page/7>", "  Welcome <demo:welcome>",
            ])
        expect(try await perform("suggest 777", in: next) == ["  (nothing is like '777')"])
        let hidden = try next.profile.createIncognito()
        expect(throws: ServiceError.self) { try hidden.service(VisitedPages.self) }
        expect(throws: ServiceError.self) { try hidden.service(AddressSuggestions.self) }
    }

    @Test func aBrowserThatClosesEndsItsServices() async throws {
        let browser = try await launch(storage)
        try await perform("open demo:page/7", in: browser)
        let visited = try browser.profile.service(VisitedPages.self)
        try await browser.close()
        expect(browser.profile.hasEnded)
        try await perform("open demo:page/8", in: browser)
        expect(!visited.visits.contains { $0.url == "demo:page/8" })
        expect(!storage.snapshots.flatMap(\.tabs).contains { $0.metadata.url == "demo:page/8" })
    }

    @Test func aProfileThatEndsSavesWhatItsSessionsHave() async throws {
        let browser = try await launch(storage)
        let restorer = browser.restorer
        try await perform("open demo:page/7", in: browser)
        browser.profile.end()
        await restorer.waitUntilIdle()
        expect(storage.snapshots.flatMap(\.tabs).contains { $0.metadata.url == "demo:page/7" })
    }

    @Test func timesAreThoseOfTheClockThatTheBrowserHas() async throws {
        let browser = try await launch(storage)
        try await perform("open demo:page/7", in: browser)
        let opened = clock.timestamp
        try await perform("go demo:page/14", in: browser)
        let tab = try require(browser.window.tabs.activeTab)
        expect(tab.createdAt, is: opened)
        let times = tab.page?.captureState().history.entries.map(\.time)
        expect(times, is: [opened, clock.timestamp])
        try await perform("close 2", in: browser)
        expect(browser.restorer.closed.tabs.first?.closedAt, is: clock.timestamp)
    }
}
