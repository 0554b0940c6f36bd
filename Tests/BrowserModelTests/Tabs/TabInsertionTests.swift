import BrowserModel
import BrowserSessions
import Expectations

struct TabInsertionTests {
    @Test func tabsOpenedFromATabComeRightBehindItInTheOrderOfOpening() throws {
        let list = try TabList.of("a b")
        let opener = list["a"].id
        expect(try list.insert(Tab(title: "x"), as: TabInsertion(opener: opener)) == 1)
        expect(try list.insert(Tab(title: "y"), as: TabInsertion(opener: opener)) == 2)
        expect(list.layout, is: "a x y b")
    }

    @Test func tabWithoutOpenerComesAtTheEnd() throws {
        let list = try TabList.of("^p *a b")
        try list.insert("x")
        expect(list.layout, is: "^p *a b x")
    }

    @Test func tabComesBehindTheLastChildOfTheOpenersPresentPageOnly() throws {
        let list = try TabList.of("a b")
        try list.insert("x", as: TabInsertion(opener: list["a"].id))
        list["a"].didNavigate(url: "https://next.example/", title: "a", itemCount: 2, index: 1)
        try list.insert("y", as: TabInsertion(opener: list["a"].id))
        expect(list.layout, is: "a y x b")
    }

    @Test func childThatWasMovedBeforeItsOpenerDoesNotCount() throws {
        let list = try TabList.of("a b c")
        try list.insert("x", as: TabInsertion(opener: list["b"].id))
        try list.move(list["x"], to: 0)
        try list.insert("y", as: TabInsertion(opener: list["b"].id))
        expect(list.layout, is: "x a b y c")
    }

    @Test func forcedIndexIsKept() throws {
        let list = try TabList.of("^p a b")
        expect(try list.insert(Tab(title: "x"), as: TabInsertion(at: 2)) == 2)
        expect(list.layout, is: "^p a x b")
    }

    @Test(arguments: [(-3, "^p ^q x a b"), (1, "^p ^q x a b"), (9, "^p ^q a b x")])
    func forcedIndexOutOfRangeGoesToTheNearestEndOfTheRegularTabs(index: Int, layout: String) throws
    {
        let list = try TabList.of("^p ^q a b")
        try list.insert("x", as: TabInsertion(at: index))
        expect(list.layout, is: layout)
    }

    @Test(arguments: [(0, "^x ^p ^q a"), (1, "^p ^x ^q a"), (3, "^p ^q ^x a"), (-1, "^x ^p ^q a")])
    func pinnedTabStaysAmongThePinnedOnes(index: Int, layout: String) throws {
        let list = try TabList.of("^p ^q a")
        try list.insert("x", as: TabInsertion(at: index, isPinned: true))
        expect(list.layout, is: layout)
        expect(list.pinnedCount, is: 3)
    }

    @Test func pinnedTabWithoutIndexComesBehindThePinnedOnes() throws {
        let list = try TabList.of("^p a")
        try list.insert("x", as: TabInsertion(isPinned: true))
        expect(list.layout, is: "^p ^x a")
    }

    @Test func tabOfAPinnedOpenerComesRightBehindThePinnedTabs() throws {
        let list = try TabList.of("^p ^q a")
        try list.insert("x", as: TabInsertion(opener: list["p"].id))
        try list.insert("y", as: TabInsertion(opener: list["p"].id))
        expect(list.layout, is: "^p ^q x y a")
    }

    @Test(arguments: [
        (nil, "a {b c x} d"), (0, "a {x b c} d"), (2, "a {b x c} d"), (4, "a {b c x} d"),
    ])
    func tabInAGroupStaysInIt(index: Int?, layout: String) throws {
        let list = try TabList.of("a {b c} d")
        try list.insert("x", as: TabInsertion(at: index, group: TabList.group(1)))
        expect(list.layout, is: layout)
    }

    @Test func tabWhoseOpenerIsInAGroupJoinsIt() throws {
        let list = try TabList.of("a {b c} d")
        try list.insert("x", as: TabInsertion(opener: list["c"].id))
        try list.insert("y", as: TabInsertion(opener: list["b"].id))
        expect(list.layout, is: "a {b y c x} d")
    }

    @Test func pinnedIsNotHeededIfTheOpenerIsInAGroup() throws {
        let list = try TabList.of("a {*b c} d")
        try list.insert("x", as: TabInsertion(inheritsOpener: true, isPinned: true))
        expect(list.layout, is: "a {*b x c} d")
    }

    @Test func tabWithAnIndexDoesNotJoinTheGroupOfItsOpener() throws {
        let list = try TabList.of("^p {b c} d")
        try list.insert(
            "x", as: TabInsertion(at: 0, opener: list["b"].id, isPinned: true))
        try list.insert("y", as: TabInsertion(at: 4, opener: list["b"].id))
        expect(list.layout, is: "^x ^p {b c} y d")
    }

    @Test func noGroupIsEverSplit() throws {
        let list = try TabList.of("a {b c d} {e f}")
        try list.insert("x", as: TabInsertion(at: 2))
        expect(list.layout, is: "a {b c d} x {e f}")
        try list.insert("y", as: TabInsertion(at: 6))
        expect(list.layout, is: "a {b c d} x {e f} y")
        try list.insert("z", as: TabInsertion(at: 1))
        expect(list.layout, is: "a z {b c d} x {e f} y")
    }

    @Test func tabIsInTheBackgroundUnlessActivated() throws {
        let list = TabList()
        try list.insert("a")
        expect(list.activeTab == nil)
        try list.insert("b", as: .active)
        expect(list.layout, is: "a *b")
        expect(list.activeIndex, is: 1)
    }
}
