import BrowserModel
import BrowserSessions
import Expectations

/// A tab of one profile never goes into a list of another.
struct TabProfileTests {
    private let mine = TabRegistry()
    private let others = TabRegistry()

    @Test func aTabIsNotInsertedIntoAListOfAnotherProfile() throws {
        let list = try TabList.of("*a b", TabList(registry: mine))
        let other = try TabList.of("x", TabList(registry: others))
        let tab = try list.detach(list["b"])
        let recorder = ListRecorder(other)
        expect(throws: TabListError.crossesProfiles(tab.id)) { try other.insert(tab) }
        expect(throws: TabListError.crossesProfiles(tab.id)) {
            try other.replace(other["x"], with: tab)
        }
        expect(other.restore([tab], nodes: [], active: tab.id).tabs.isEmpty)
        expect(recorder.log.filter { !$0.hasPrefix("batch") }, is: [])
        expect(other.layout, is: "x")
        try TabList(registry: mine).insert(tab)
        expect(TabListError.crossesProfiles(tab.id).description.contains("\(tab.id)"))
    }

    @Test func aTabIsNotTransferredToAListOfAnotherProfile() throws {
        let list = try TabList.of("*a b", TabList(registry: mine))
        let other = try TabList.of("x", TabList(registry: others))
        expect(throws: TabListError.crossesProfiles(list["b"].id)) {
            try list.transfer([list["b"]], to: other)
        }
        expect(list.layout, is: "*a b")
        expect(other.layout, is: "x")
        expect(try list.transfer([list["b"]], to: TabList(registry: mine)).count == 1)
    }

    @Test func aFreeListIsNoWayFromOneProfileToAnother() throws {
        let list = try TabList.of("*a b", TabList(registry: mine))
        let free = TabList()
        try list.transfer([list["b"]], to: free)
        expect(throws: TabListError.crossesProfiles(free["b"].id)) {
            try free.transfer([free["b"]], to: TabList(registry: others))
        }
        try free.transfer([free["b"]], to: list)
        expect(list.layout, is: "*a b")
    }

    @Test func aTabOfAFreeListGoesAnywhereOnce() throws {
        let free = try TabList.of("a b")
        let next = TabList()
        try free.transfer([free["a"]], to: next)
        let list = TabList(registry: mine)
        try next.transfer([next["a"]], to: list)
        expect(throws: TabListError.crossesProfiles(list["a"].id)) {
            try list.transfer([list["a"]], to: TabList(registry: others))
        }
    }

    @Test func windowsOfOneProfileShareTabsAndThoseOfTwoDoNot() throws {
        let (profile, other) = (WindowList(), WindowList())
        let (first, second) = (try profile.open(), try profile.open())
        let tab = try first.tabs.insert("a")
        try first.tabs.transfer([tab], to: second.tabs)
        expect(throws: TabListError.crossesProfiles(tab.id)) {
            try second.tabs.transfer([tab], to: other.open().tabs)
        }
    }
}
