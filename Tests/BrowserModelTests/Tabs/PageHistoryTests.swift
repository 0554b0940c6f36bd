import BrowserModel
import BrowserSessions
import Expectations

struct PageHistoryTests {
    private func visit(_ addresses: String...) throws -> (Tab, PageHistory) {
        let tab = try Tab().inAList()
        let history = try require(tab.page?.view as? PageHistory)
        for address in addresses {
            history.navigate(to: NavigationEntry(url: address, title: address.uppercased()))
        }
        return (tab, history)
    }

    @Test func tabShowsTheCurrentPage() throws {
        let (tab, history) = try visit("a", "b")
        expect(tab.url, is: "b")
        expect(tab.title, is: "B")
        expect(tab.metadata.navigationItemCount, is: 2)
        history.goBack()
        expect(tab.url, is: "a")
        expect(tab.navigationIndex, is: 0)
        expect(tab.metadata.navigationItemCount, is: 2)
        history.goForward()
        expect(tab.url, is: "b")
    }

    @Test func historyEndsAtItsFirstAndLastPage() throws {
        let (tab, history) = try visit("a")
        history.goBack()
        history.goForward()
        expect(tab.url, is: "a")
        expect(try visit().1.currentEntry == nil)
    }

    @Test func newPageForgetsThePagesAhead() throws {
        let (_, history) = try visit("a", "b", "c")
        history.goBack()
        history.goBack()
        history.navigate(to: NavigationEntry(url: "d"))
        expect(history.history.entries.map(\.url), is: ["a", "d"])
        expect(history.history.currentIndex, is: 1)
    }

    @Test func stateGoesOnInAnotherTab() async throws {
        let (_, history) = try visit("a", "b")
        history.goBack()
        history.native = [7]
        let state = history.captureState()
        let tab = try Tab.unrealized("x", HeldTabState(state)).inAList()
        try await tab.forceRealization()
        let restored = try require(tab.page?.view as? PageHistory)
        expect(restored.captureState(), is: state)
        restored.goForward()
        expect(tab.url, is: "b")
    }

    @Test(arguments: [(-5, "a"), (9, "b")])
    func currentPageThatIsNotThereIsTheNearest(index: Int, url: String) {
        let entries = [NavigationEntry(url: "a"), NavigationEntry(url: "b")]
        let history = PageHistory(
            TabState(history: NavigationHistory(entries: entries, currentIndex: index)))
        expect(history.currentEntry?.url, is: url)
        history.navigate(to: NavigationEntry(url: "c"))
        expect(history.currentEntry?.url, is: "c")
    }

    @Test func historyWithoutPagesHasNoCurrentOne() {
        let history = PageHistory(TabState(history: NavigationHistory(currentIndex: 3)))
        expect(history.currentEntry == nil)
        history.goBack()
        history.navigate(to: NavigationEntry(url: "a"))
        expect(history.history.currentIndex, is: 0)
    }

    @Test func historyOfAClosedTabTellsNobody() throws {
        let list = TabList()
        let tab = Tab(url: "a")
        try list.insert(tab)
        let history = try require(tab.page?.view as? PageHistory)
        list.closeAll(reason: .user)
        history.navigate(to: NavigationEntry(url: "b"))
        expect(tab.url, is: "a")
    }
}
