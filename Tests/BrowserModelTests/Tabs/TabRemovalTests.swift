import BrowserSessions
import Expectations

@testable import BrowserModel

struct TabRemovalTests {
    @Test func removalTellsWhatTheTabWas() throws {
        let list = try TabList.of("^p a {b c}")
        try list.setOpener(TabOpener(tab: list["a"].id, navigationIndex: 1), of: list[2])
        try list.activate(list[2])
        var removal: TabRemoval?
        let recorder = ListRecorder(list)
        recorder.onChange = { if case .removed(let told) = $1 { removal = told } }
        let tab = list["b"]
        try list.close(list[2], reason: .cleanup)
        expect(removal?.tab === tab)
        expect(removal?.index, is: 2)
        expect(removal?.isPinned, is: false)
        expect(removal?.group?.id, is: TabList.group(1))
        expect(removal?.opener?.navigationIndex, is: 1)
        expect(removal?.wasActive, is: true)
        expect(removal?.closing, is: .cleanup)
        try list.detach(list[0])
        expect(removal?.isPinned, is: true)
        expect(removal?.wasActive, is: false)
        expect(removal?.closing == nil)
    }

    @Test func severalTabsLeaveInOneBatchTheLastOneFirst() throws {
        let list = try TabList.of("a b *c d")
        let recorder = ListRecorder(list)
        try list.close([list[2], list[0], list[2]])
        expect(list.layout, is: "b *d")
        expect(
            recorder.log,
            is: [
                "batch begins", "active d, was c", "removed c from 2", "removed a from 0",
                "batch ends",
            ])
    }

    @Test func closedTabLosesContentAndHelpersAndTellsOnce() throws {
        let list = try TabList.of("a")
        let (tab, recorder) = (list["a"], TabRecorder())
        tab.addObserver(recorder)
        try list.close(list[0])
        expect(tab.isClosed)
        expect(!tab.isRealized)
        expect(tab.list == nil)
        expect(recorder.events, is: [.closed])
    }

    @Test func detachedTabKeepsItsContentAndIsNotRealized() throws {
        let list = try TabList.of("^a *b")
        let sleeper = Tab.unrealized("x")
        try list.insert(sleeper)
        let content = list["a"].page
        let detached = try list.detach([list[2], list[0]])
        expect(detached.map(\.title), is: ["a", "x"])
        expect(detached[0].page === content)
        expect(!detached[0].metadata.isPinned)
        expect(!sleeper.isRealized)
        expect(list.pinnedCount, is: 0)
        expect(list.layout, is: "*b")
    }

    @Test func detachedTabCanGoToAnotherListOfThePartition() throws {
        let registry = TabRegistry()
        let first = try TabList.of("a b", TabList(registry: registry))
        let second = TabList(registry: registry)
        let tab = try first.detach(first[0])
        expect(!registry[.regular].contains(NodeID(tab.id)))
        try second.insert(tab)
        expect(tab.list === second)
        expect(registry[.regular].contains(NodeID(tab.id)))
    }

    @Test func listThatGoesAwayFreesTheIdentifiersOfItsTabs() throws {
        let registry = TabRegistry()
        var list: TabList? = try TabList.of("a", TabList(registry: registry))
        let id = try require(list?[0].id)
        expect(registry[.regular].contains(NodeID(id)))
        list = nil
        expect(!registry[.regular].contains(NodeID(id)))
    }

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
        expect(throws: TabListError.closed(tab.id)) { try list.insert(tab) }
    }
}
