import BrowserModel
import BrowserSessions
import Expectations

struct TabRemovalTests {
    @Test func removalTellsWhatTheTabWas() throws {
        let list = try TabList.of("^p a {b c}")
        try list.setOpener(TabOpener(tab: list["a"].id, navigationIndex: 1), at: 2)
        list.activate(at: 2)
        var removal: TabRemoval?
        let recorder = ListRecorder(list)
        recorder.onChange = { if case .removed(let told) = $1 { removal = told } }
        let tab = list["b"]
        list.close(at: 2, reason: .cleanup)
        expect(removal?.tab === tab)
        expect(removal?.index, is: 2)
        expect(removal?.isPinned, is: false)
        expect(removal?.group?.id, is: TabList.group(1))
        expect(removal?.opener?.navigationIndex, is: 1)
        expect(removal?.wasActive, is: true)
        expect(removal?.closing, is: .cleanup)
        list.detach(at: 0)
        expect(removal?.isPinned, is: true)
        expect(removal?.wasActive, is: false)
        expect(removal?.closing == nil)
    }

    @Test func severalTabsLeaveInOneBatchTheLastOneFirst() throws {
        let list = try TabList.of("a b *c d")
        let recorder = ListRecorder(list)
        list.close(at: [2, 0, 2])
        expect(list.layout, is: "b *d")
        expect(
            recorder.log,
            is: [
                "batch begins", "active d, was c", "removed c from 2", "removed a from 0",
                "batch ends",
            ])
    }

    @Test func closingNoTabTellsNothing() throws {
        let list = try TabList.of("a")
        let recorder = ListRecorder(list)
        list.close(at: [])
        expect(list.detach(at: []).isEmpty)
        expect(recorder.log.isEmpty)
    }

    @Test func closedTabLosesContentAndHelpersAndTellsOnce() throws {
        let list = try TabList.of("a")
        let (tab, recorder) = (list["a"], TabRecorder())
        tab.addObserver(recorder)
        list.close(at: 0)
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
        let detached = list.detach(at: [2, 0])
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
        let tab = try #require(first.detach(at: 0))
        expect(!registry.contains(tab.id, offTheRecord: false))
        try second.insert(tab)
        expect(tab.list === second)
        expect(registry.contains(tab.id, offTheRecord: false))
    }

    @Test func listThatGoesAwayFreesTheIdentifiersOfItsTabs() throws {
        let registry = TabRegistry()
        var list: TabList? = try TabList.of("a", TabList(registry: registry))
        let id = try #require(list?[0].id)
        expect(registry.contains(id, offTheRecord: false))
        list = nil
        expect(!registry.contains(id, offTheRecord: false))
    }
}
