import BrowserModel
import BrowserSessions
import Expectations

struct ClosedTabTests {
    @Test func whatAnEngineReportsOfAClosedTabIsNotHeeded() throws {
        let list = TabList()
        let tab = Tab(url: "https://a.example/", title: "a")
        try list.insert(tab)
        list.closeAll(reason: .user)
        tab.didNavigate(url: "https://late.example/", title: "late", itemCount: 2, index: 1)
        tab.setLoad(.loading(""))
        tab.stateDidChange()
        expect(tab.title == "a" && !tab.isLoading)
    }

    @Test func aDetachedTabThatGoesNowhereCanBeClosed() throws {
        let list = TabList()
        try list.insert(Tab(url: "https://a.example/"))
        let tab = try list.detach(list[0])
        tab.close()
        tab.close()
        expect(tab.isClosed && tab.page == nil)
        #expect(throws: TabListError.closed(tab.id)) { try list.insert(tab) }
    }

    @Test func selectingTheActiveTabAgainTriesToRealizeItAgain() throws {
        let source = CountingSource()
        let list = TabList()
        let metadata = TabMetadata(id: .random(), place: .between(nil, and: nil))
        try list.insert(
            Tab(unrealized: metadata, origin: TabOrigin(state: source)), as: .active)
        try list.activate(list[0])
        expect(source.requests, is: 2)
    }
}

private final class CountingSource: TabStateSource {
    private(set) var requests = 0
    func stateInMemory(of tab: Tab) -> TabState? { nil }
    func loadState(of tab: Tab) async throws -> TabState { TabState() }
    func realizeSoon(_ tab: Tab) { requests += 1 }
}
