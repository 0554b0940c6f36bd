import BrowserSessions
import Expectations
import SessionSamples

@testable import StorageBenchmark

struct FlatTabsTests {
    @Test func tabsComeBackWithTheFieldsThatTheFormatHas() {
        var sampler = SessionSampler(seed: 1)
        let tabs = sampler.window(tabs: 300).tabs.map(\.metadata)
        let expected = tabs.map { tab in
            TabMetadata(
                id: tab.id, place: tab.place, url: tab.url, title: tab.title,
                faviconURL: tab.faviconURL, createdAt: tab.createdAt,
                lastActiveAt: tab.lastActiveAt,
                navigationItemCount: min(tab.navigationItemCount, 255))
        }
        expect(FlatTabs(tabs).decoded(), is: expected)
    }

    @Test func whatTheFormatCannotHoldIsCut() throws {
        let tab = TabMetadata(
            id: TabID(high: 1, low: 2), place: OrderKey.between(nil, and: nil),
            url: String(repeating: "u", count: 70_000), navigationItemCount: 1_000)
        let decoded = try require(FlatTabs([tab]).decoded().first)
        expect(decoded.url.utf8.count, is: 65_535)
        expect(decoded.navigationItemCount, is: 255)
        expect(FlatTabs([]).decoded().isEmpty)
    }
}
