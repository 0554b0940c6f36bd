import BrowserSessions
import Expectations

@testable import BrowserModel

/// The lists of a profile share one table of tabs, and tabs that were saved together what was read.
struct SharedTableTests {
    private let registry = TabRegistry()
    private let origin = TabOrigin(state: HeldTabState(TabState()))

    private func restored(_ titles: [String], into list: TabList) -> [Tab] {
        let saved = zip(titles, OrderKey.evenlySpaced(count: titles.count)).map { title, place in
            TabMetadata(id: .random(), place: place, url: title, title: title)
        }
        let tabs = saved.indices.map {
            Tab(unrealized: $0, of: saved, origin: origin)
        }
        return list.restore(tabs, nodes: [], active: nil).tabs
    }

    @Test func aListFindsItsOwnTabsAlone() throws {
        let (list, other) = (TabList(registry: registry), TabList(registry: registry))
        let tab = try list.insert("a")
        expect(list.tab(tab.id) === tab)
        expect(other.tab(tab.id) == nil)
        expect(!other.contains(tab.id))
        expect(other.index(of: tab) == nil)
        try other.insert(try list.detach(tab))
        expect(list.tab(tab.id) == nil)
        expect(other.tab(tab.id) === tab)
    }

    @Test func openersInOtherListsAreTaken() throws {
        let (list, other) = (TabList(registry: registry), TabList(registry: registry))
        let opener = try other.insert("opener")
        let tab = Tab.unrealized("a", opener: opener.id)
        list.restore([tab, Tab.unrealized("b")], nodes: [], active: nil)
        expect(tab.opener == nil)
        expect(opener.children.isEmpty)
    }

    @Test func openersMayComeBehindWhatTheyOpened() throws {
        let list = TabList(registry: registry)
        let opener = Tab.unrealized("opener")
        let tab = Tab.unrealized("a", opener: opener.id)
        list.restore([tab, opener], nodes: [], active: nil)
        expect(tab.opener?.tab, is: opener.id)
        expect(NaiveList(list: list).differences(), is: [])
    }

    @Test func theFirstOfTwoWithOneIdentifierIsRestored() throws {
        let (list, other) = (TabList(registry: registry), TabList(registry: registry))
        let first = try other.insert("a")
        let twin = Tab(id: first.id, title: "twin")
        expect(list.restore([twin, Tab.unrealized("b")], nodes: [], active: nil).tabs.count, is: 1)
        expect(twin.list == nil)
        expect(list.layout, is: "b")
        expect(other.tab(first.id) === first)
    }

    @Test func nothingIsFoundAnyMoreWhileAWindowCloses() throws {
        let windows = WindowList()
        let window = try windows.open()
        let tabs = [try window.tabs.insert("a"), try window.tabs.insert("b")]
        let watcher = ClosingWatcher(window.tabs, tabs)
        tabs[0].addObserver(watcher)
        try windows.close(window)
        expect(watcher.found, is: [false, false])
    }

    @Test func tabsGoWithTheirList() throws {
        weak var opener: Tab?
        do {
            let list = TabList(registry: registry)
            let tab = try list.insert("opener")
            let child = try list.insert("child", as: TabInsertion(opener: tab.id))
            try list.setOpener(TabOpener(tab: child.id), of: tab)
            opener = tab
        }
        expect(opener == nil)
    }

    @Test func whatWasSavedTogetherChangesApart() throws {
        let list = TabList(registry: registry)
        let tabs = restored(["a", "b", "c"], into: list)
        let places = list.places
        tabs[1].setTitle("new")
        tabs[1].setProperty("zoom", to: "80")
        expect(list.layout, is: "a new c")
        expect(list.places, is: places)
        expect(tabs[2].metadata.properties.isEmpty)
        try list.move(tabs[0], to: 2)
        try list.pin(tabs[2])
        expect(list.layout, is: "^c new a")
        expect(tabs.map(\.url), is: ["a", "b", "c"])
        expect(TabListRules.broken(by: list), is: [])
    }

    @Test func aSavedSessionOfOneTabIsNotChangedWithTheTab() throws {
        let saved = [TabMetadata(id: .random(), place: .between(nil, and: nil), title: "a")]
        let tab = Tab(unrealized: 0, of: saved, origin: origin)
        tab.setTitle("b")
        expect(tab.title, is: "b")
        expect(saved[0].title, is: "a")
    }
}

/// Looks its list's tabs up when one of them is closed.
private final class ClosingWatcher: TabObserver {
    let list: TabList
    let tabs: [Tab]
    var found: [Bool] = []

    init(_ list: TabList, _ tabs: [Tab]) {
        self.list = list
        self.tabs = tabs
    }

    func tab(_ tab: Tab, did event: TabEvent) {
        guard event == .closed else { return }
        found = tabs.map { list.tab($0.id) != nil }
    }
}
