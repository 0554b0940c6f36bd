import BrowserModel
import BrowserSessions
import Expectations

struct TabRealizationTests {
    @Test func newTabIsRealizedAtItsAddress() throws {
        let new = Tab(url: "https://a.example/", title: "a")
        expect(!new.isRealized)
        let tab = try new.inAList()
        let content = try require(tab.page?.view as? PageHistory)
        expect(tab.isRealized)
        expect(tab.metadata.navigationItemCount, is: 1)
        expect(content.currentEntry?.url, is: "https://a.example/")
        expect(Tab().metadata.navigationItemCount, is: 0)
        expect((try Tab().inAList().page?.view as? PageHistory)?.currentEntry == nil)
    }

    @Test func metadataIsReadableWithoutRealizing() {
        let source = ScriptedSource()
        let metadata = TabMetadata(
            id: .random(), place: .between(nil, and: nil), url: "https://a.example/", title: "a",
            faviconURL: "https://a.example/icon", createdAt: Timestamp(microseconds: 1),
            lastActiveAt: Timestamp(microseconds: 2), navigationItemCount: 7)
        let tab = Tab(unrealized: metadata, origin: TabOrigin(state: source))
        tab.setFavicon(url: "https://a.example/new")
        tab.setTitle("b")
        expect(tab.id, is: metadata.id)
        expect(tab.url, is: metadata.url)
        expect(tab.title, is: "b")
        expect(tab.metadata.navigationItemCount, is: 7)
        expect(tab.metadata.faviconURL, is: "https://a.example/new")
        expect(!tab.isRealized)
        expect(tab.navigationIndex, is: 0)
        expect(tab.heldState == nil)
        expect(source.reads, is: 0)
    }

    @Test func stateThatIsHeldIsReadableWithoutRealizing() async throws {
        let tab = try Tab.unrealized("a", HeldTabState(.page("https://held.example/"))).inAList()
        expect(tab.heldState, is: .page("https://held.example/"))
        expect(!tab.isRealized)
        try await tab.forceRealization()
        expect(tab.heldState == nil)
    }

    @Test func realizationGoesOnFromTheState() async throws {
        let entries = ["x", "y", "z"].map { NavigationEntry(url: $0) }
        let state = TabState(
            history: NavigationHistory(entries: entries, currentIndex: 1), native: [1, 2])
        let source = ScriptedSource(whenRead: state)
        let tab = try Tab.unrealized("a", source).inAList()
        try await tab.forceRealization()
        let content = try require(tab.page)
        expect(content.captureState(), is: state)
        expect(tab.navigationIndex, is: 1)
        try await tab.forceRealization()
        expect(tab.page === content)
        expect(source.reads, is: 1)
    }

    @Test func observersStayAndHearOfTheRealization() async throws {
        let tab = try Tab.unrealized("a").inAList()
        let recorder = TabRecorder()
        tab.addObserver(recorder)
        try await tab.forceRealization()
        tab.stateDidChange()
        expect(recorder.events, is: [.realized, .stateChanged])
    }

    @Test func observerAddedWhileTheRealizationIsToldIsNotTold() async throws {
        let tab = try Tab.unrealized("a").inAList()
        let (first, late) = (TabRecorder(), TabRecorder())
        first.onEvent = { tab, _ in tab.addObserver(late) }
        tab.addObserver(first)
        try await tab.forceRealization()
        expect(late.events.isEmpty)
    }

    @Test func stateThatCannotBeReadLeavesTheTabUnrealizedAndCanBeTriedAgain() async throws {
        let source = ScriptedSource()
        let tab = try Tab.unrealized("a", source).inAList()
        let recorder = TabRecorder()
        tab.addObserver(recorder)
        await expect(throws: ScriptedSource.Unavailable.self) { try await tab.forceRealization() }
        expect(!tab.isRealized)
        source.whenRead = .page("https://a.example/")
        try await tab.forceRealization()
        expect(tab.isRealized)
        expect(recorder.events, is: [.realizationFailed, .realized])
    }

    @Test func readThatFailsAfterTheTabWasRealizedOtherwiseIsNoFailure() async throws {
        let source = ScriptedSource()
        let tab = try Tab.unrealized("a", source).inAList()
        let recorder = TabRecorder()
        tab.addObserver(recorder)
        source.beforeReading = { tab in
            source.inMemory = .page("https://a.example/")
            try? await tab.forceRealization()
        }
        try await tab.forceRealization()
        expect(recorder.events, is: [.realized])
    }

    @Test func tabThatIsClosedWhileItsStateIsReadStaysWithoutContent() async throws {
        for state in [nil, TabState.page("https://a.example/")] {
            let source = ScriptedSource(whenRead: state)
            let list = TabList()
            let tab = Tab.unrealized("a", source)
            let recorder = TabRecorder()
            tab.addObserver(recorder)
            try list.insert(tab)
            source.beforeReading = { _ in list.closeAll(reason: .user) }
            await expect(throws: TabError.closed) { try await tab.forceRealization() }
            expect(tab.page == nil)
            expect(recorder.events, is: [.closed])
        }
    }

    @Test func closedTabIsNotRealized() async throws {
        let list = TabList()
        let tab = Tab.unrealized("a")
        try list.insert(tab)
        list.closeAll(reason: .user)
        await expect(throws: TabError.closed) { try await tab.forceRealization() }
    }

    @Test func activationRealizesAtOnceWhatIsAtHand() throws {
        let list = try TabList.of("*a")
        let tab = Tab.unrealized("x")
        try list.insert(tab)
        expect(!tab.isRealized)
        try list.activate(list[1])
        expect(tab.isRealized)
    }

    @Test func activationAsksForWhatMustBeRead() throws {
        let list = try TabList.of("*a")
        let source = ScriptedSource(whenRead: TabState())
        let tab = Tab.unrealized("x", source)
        try list.insert(tab, as: .active)
        expect(!tab.isRealized)
        expect(source.wanted, is: [tab.id])
        expect(source.reads, is: 0)
    }

    @Test func selectingTheActiveTabAgainTriesToRealizeItAgain() throws {
        let (list, source) = (TabList(), ScriptedSource())
        let tab = Tab.unrealized("a", source)
        try list.insert(tab, as: .active)
        try list.activate(tab)
        expect(source.wanted, is: [tab.id, tab.id])
    }

    @Test func tabThatBecomesActiveBecauseAnotherClosesIsRealized() throws {
        let list = try TabList.of("*a")
        let tab = Tab.unrealized("x")
        try list.insert(tab)
        try list.close(list[0])
        expect(tab.isRealized)
    }

    @Test func activationOfInactiveTabsNeitherRealizesNorShowsThem() throws {
        let list = TabList(realizesActiveTab: false, now: { Timestamp(microseconds: 9) })
        let source = ScriptedSource(inMemory: TabState())
        let tab = Tab.unrealized("x", source)
        try list.insert(tab, as: .active)
        expect(list.activeTab === tab)
        expect(!tab.isRealized)
        expect(tab.metadata.lastActiveAt, is: .unknown)
    }

    @Test func movesNeverRealize() throws {
        let list = TabList()
        for name in ["a", "b", "c"] { try list.insert(Tab.unrealized(name)) }
        try list.move(list[0], to: 2)
        try list.create(StructureNode.group(id: TabList.group(1)), of: [list[0], list[2]])
        try list.pin(list[2])
        try list.detach(list[0])
        expect(list.tabs.allSatisfy { !$0.isRealized })
    }
}
