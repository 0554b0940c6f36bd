import BrowserModel
import BrowserSessions
import Expectations

struct TabTests {
    private let recorder = TabRecorder()

    private func makeTab() -> Tab {
        let tab = Tab(url: "https://a.example/", title: "a")
        tab.addObserver(recorder)
        return tab
    }

    @Test func navigationChangesMetadata() {
        let tab = makeTab()
        tab.didNavigate(url: "https://b.example/", title: "b", itemCount: 4, index: 2)
        expect(tab.url, is: "https://b.example/")
        expect(tab.title, is: "b")
        expect(tab.metadata.navigationItemCount, is: 4)
        expect(tab.navigationIndex, is: 2)
        expect(recorder.events, is: [.navigated])
    }

    @Test func detailsAreToldOnlyIfTheyChange() {
        let tab = makeTab()
        tab.setTitle("a")
        tab.setTitle("b")
        tab.setFavicon(url: "https://a.example/icon")
        tab.setFavicon(url: "https://a.example/icon")
        tab.setProperty("zoom", to: "2")
        tab.setProperty("zoom", to: nil)
        tab.setProperty("zoom", to: nil)
        expect(recorder.events, is: Array(repeating: .detailsChanged, count: 4))
        expect(tab.metadata.properties, is: [:])
    }

    @Test func loadingIsToldWhenItBeginsAndEnds() throws {
        let tab = try makeTab().inAList()
        tab.setLoad(.none)
        tab.setLoad(.loading(""))
        tab.setLoad(.loading(""))
        expect(tab.isLoading)
        tab.setLoad(.none)
        expect(recorder.events, is: [.loadingChanged, .loadingChanged])
    }

    @Test func shownTabRemembersWhen() {
        let tab = makeTab()
        tab.wasShown(at: Timestamp(microseconds: 3))
        expect(tab.metadata.lastActiveAt, is: Timestamp(microseconds: 3))
        expect(recorder.events, is: [.shown])
    }

    @Test func observerThatWasRemovedIsNotTold() {
        let tab = makeTab()
        tab.removeObserver(recorder)
        tab.setTitle("b")
        expect(recorder.events.isEmpty)
    }
}

struct TabHelperTests {
    @Test func helpersAreRefusedByAnUnrealizedTab() async throws {
        let tab = try Tab.unrealized("a").inAList()
        expect(throws: TabError.unrealized) { try tab.attach(ReaderMode()) }
        expect(tab.helper(ReaderMode.self) == nil)
        try await tab.forceRealization()
        try tab.attach(ReaderMode())
        expect(tab.helper(ReaderMode.self) != nil)
    }

    @Test func oneHelperOfEachTypeIsAttached() throws {
        let tab = try Tab().inAList()
        let first = ReaderMode()
        try tab.attach(first)
        expect(throws: TabError.duplicateHelper("ReaderMode")) { try tab.attach(ReaderMode()) }
        expect(tab.helper(ReaderMode.self) === first)
        expect(tab.helper(FindInPage.self) == nil)
        try tab.attach(FindInPage())
    }

    @Test func helpersHearOfTheEndWhenTheTabIsClosed() throws {
        let list = TabList()
        let (tab, helper) = (Tab(), ReaderMode())
        try list.insert(tab)
        try tab.attach(helper)
        try list.detach(list[0])
        expect(helper.ended, is: 0)
        try list.insert(tab)
        list.closeAll(reason: .user)
        expect(helper.ended, is: 1)
        expect(tab.helper(ReaderMode.self) == nil)
        expect(throws: TabError.closed) { try tab.attach(ReaderMode()) }
    }

    @Test func helperCanBeTakenOff() throws {
        let (tab, helper) = (try Tab().inAList(), ReaderMode())
        try tab.attach(helper)
        tab.detachHelper(ReaderMode.self)
        tab.detachHelper(ReaderMode.self)
        expect(helper.ended, is: 1)
        try tab.attach(ReaderMode())
    }

    private final class ReaderMode: TabHelper {
        var ended = 0
        func tabEnded(_ tab: Tab) { ended += 1 }
    }

    private final class FindInPage: TabHelper {
        func tabEnded(_ tab: Tab) {}
    }
}
