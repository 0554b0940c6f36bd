import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting
import TestSupport

@testable import demobrowser

struct VisitedPagesTests {
    private let clock = ManualClock()
    private let manager: ProfileManager
    private let profile: Profile

    init() throws {
        let clock = clock
        manager = ProfileManager(
            root: "/profiles",
            services: try ServiceRegistry([
                AddressSuggestions.declaration, VisitedPages.declaration,
            ]),
            now: { clock.timestamp })
        profile = try manager.create(named: "Default")
    }

    private func visited() throws -> [String] {
        try profile.service(VisitedPages.self).visits.map(\.url)
    }

    private func suggestions(_ text: String) throws -> [String] {
        try profile.service(AddressSuggestions.self).suggestions(for: text)
            .map { $0.url + ($0.isOpen ? " (open)" : "") }
    }

    /// Opens a tab a second after what was before.
    @discardableResult
    private func open(_ url: String, _ title: String = "", in list: TabList) throws -> Tab {
        clock.advance(by: .seconds(1))
        let tab = Tab(url: url, title: title, createdAt: profile.now())
        try list.insert(tab, as: .active)
        return tab
    }

    private func go(_ tab: Tab, to url: String) {
        clock.advance(by: .seconds(1))
        tab.didNavigate(url: url, title: "", itemCount: 1, index: 0)
    }

    @Test func pagesAreThereOnceAndTheOneVisitedLastIsFirst() throws {
        let tabs = try profile.windows.open().tabs
        try open("a:1", in: tabs)
        let tab = try open("a:2", in: tabs)
        expect(try visited() == ["a:2", "a:1"])
        go(tab, to: "a:1")
        go(tab, to: "a:3")
        expect(try visited() == ["a:3", "a:1", "a:2"])
        let last = try profile.service(VisitedPages.self).visits.first
        expect(last?.time, is: clock.timestamp)
        try open("", in: tabs)
        expect(try visited().count == 3)
    }

    @Test func pagesOfClosedTabsStay() throws {
        let window = try profile.windows.open()
        let tab = try open("a:1", in: window.tabs)
        try window.tabs.close(tab)
        try profile.windows.close(window)
        expect(try visited() == ["a:1"])
    }

    @Test func aTabThatComesBackOrMovesWasVisitedWhenItWasShownLast() throws {
        let (one, other) = try (profile.windows.open(), profile.windows.open())
        let tab = try open("a:1", in: one.tabs)
        try open("a:2", in: one.tabs)
        try other.tabs.insert(one.tabs.detach(tab))
        expect(try visited() == ["a:2", "a:1"])
        go(tab, to: "a:3")
        try one.tabs.insert(other.tabs.detach(tab))
        expect(try visited() == ["a:3", "a:2", "a:1"])
        let old = TabMetadata(
            id: .random(), place: .between(nil, and: nil), url: "a:old", title: "Old",
            lastActiveAt: Timestamp(microseconds: 5))
        let restored = Tab(
            unrealized: old, state: TabState())
        one.tabs.restore([restored], nodes: [], active: nil)
        expect(try visited() == ["a:3", "a:2", "a:1", "a:old"])
        let visits = try profile.service(VisitedPages.self).visits
        expect(visits.last?.time, is: Timestamp(microseconds: 5))
    }

    @Test func pagesVisitedLongestAgoAreForgotten() throws {
        let visited = VisitedPages(of: profile, limit: 2)
        let tabs = try profile.windows.open().tabs
        for number in 1...3 { try open("a:\(number)", in: tabs) }
        expect(visited.visits.map(\.url), is: ["a:3", "a:2"])
    }

    @Test func privateTabsLeaveNothing() throws {
        let window = try profile.windows.open()
        let hidden = try profile.createIncognito().windows.open(window.id)
        let tab = try open("a:secret", in: hidden.tabs)
        go(tab, to: "a:secret/2")
        expect(try visited() == [])
        expect(try suggestions("secret") == [])
        expect(throws: ServiceError.self) {
            try profile.createIncognito().service(VisitedPages.self)
        }
        try hidden.tabs.close(tab)
        profile.destroyIncognito()
        expect(try visited() == [])
    }

    @Test func nothingIsHeardAfterTheProfileHasEnded() throws {
        let visited = try profile.service(VisitedPages.self)
        let tabs = try profile.windows.open().tabs
        profile.end()
        try open("a:1", in: tabs)
        try open("a:2", in: profile.windows.open().tabs)
        expect(visited.visits, is: [])
    }

    // MARK: Suggestions

    @Test func openTabsAreSuggestedBeforeVisitedPagesAndEachAddressOnce() throws {
        let tabs = try profile.windows.open().tabs
        let tab = try open("a:1", in: tabs)
        try open("a:2", in: tabs)
        go(tab, to: "a:3")
        try open("b:4", in: tabs)
        try open("a:2", in: tabs)
        try tabs.activate(tab)
        expect(try suggestions("a:") == ["a:3 (open)", "a:2 (open)", "a:1"])
    }

    @Test func theTextMayBeInTheTitleAndInUpperCase() throws {
        let tabs = try profile.windows.open().tabs
        try open("a:1", "The News", in: tabs)
        try open("a:2", "Mail", in: tabs)
        expect(try suggestions("nEWs") == ["a:1 (open)"])
        expect(try suggestions("A:2") == ["a:2 (open)"])
        expect(try suggestions("nowhere") == [])
    }

    @Test func noMoreThanEightAreSuggested() throws {
        let tabs = try profile.windows.open().tabs
        for number in 1...9 { try open("a:\(number)", in: tabs) }
        expect(try suggestions("a:").count == 8)
    }
}
