import BrowserModel
import BrowserSessions
import Expectations

struct TabInsertionTests {
    /// Inserts tabs with the titles x, y and z into a list, and compares the list and the indexes.
    private func insert(
        into before: String, gives after: String, file: String = #fileID, line: Int = #line,
        _ insertions: (TabList) -> [TabInsertion]
    ) throws {
        let list = try TabList.of(before)
        for (title, insertion) in zip(["x", "y", "z"], insertions(list)) {
            let index = try list.insert(Tab(title: title), as: insertion)
            expect(list[index].title, is: title, file: file, line: line)
        }
        expect(list.layout, is: after, file: file, line: line)
        expect(TabListRules.broken(by: list), is: [], file: file, line: line)
    }

    @Test func tabsOpenedFromATabComeRightBehindItInTheOrderOfOpening() throws {
        try insert(into: "a b", gives: "a x y b") { [.opened(by: "a", $0), .opened(by: "a", $0)] }
        // Right behind the pinned tabs, if that is pinned; into its group, if it is in one.
        try insert(into: "^p ^q a", gives: "^p ^q x y a") {
            [.opened(by: "p", $0), .opened(by: "p", $0)]
        }
        try insert(into: "a {b c} d", gives: "a {b y c x} d") {
            [.opened(by: "c", $0), .opened(by: "b", $0)]
        }
        // An index says more than the group of the opener, and that says more than the pin.
        try insert(into: "^p {b c} d", gives: "^x ^p {b c} y d") {
            [
                TabInsertion(at: 0, opener: $0["b"].id, isPinned: true),
                TabInsertion(at: 4, opener: $0["b"].id),
            ]
        }
        try insert(into: "a {*b c} d", gives: "a {*b x c} d") { _ in
            [TabInsertion(inheritsOpener: true, isPinned: true)]
        }
    }

    @Test func tabWithoutOpenerComesAtTheEndInTheBackgroundUnlessActivated() throws {
        try insert(into: "^p *a b", gives: "^p *a b x") { _ in [.automatic] }
        try insert(into: "", gives: "x *y") { _ in [.automatic, .active] }
        try insert(into: "^p a", gives: "^p ^x a") { _ in [TabInsertion(isPinned: true)] }
    }

    @Test func tabComesBehindTheLastChildOfTheOpenersPresentPageOnly() throws {
        let list = try TabList.of("a b")
        try list.insert("x", as: .opened(by: "a", list))
        list["a"].didNavigate(url: "https://next.example/", title: "a", itemCount: 2, index: 1)
        try list.insert("y", as: .opened(by: "a", list))
        expect(list.layout, is: "a y x b")
    }

    @Test func childThatWasMovedBeforeItsOpenerDoesNotCount() throws {
        let list = try TabList.of("a b c")
        try list.insert("x", as: .opened(by: "b", list))
        try list.move(list["x"], to: 0)
        try list.insert("y", as: .opened(by: "b", list))
        expect(list.layout, is: "x a b y c")
    }

    /// Out of range it goes to the nearest end of the regular or the pinned tabs.
    @Test(arguments: [
        ("^p a b", 2, false, "^p a x b"), ("^p ^q a b", -3, false, "^p ^q x a b"),
        ("^p ^q a b", 1, false, "^p ^q x a b"), ("^p ^q a b", 9, false, "^p ^q a b x"),
        ("^p ^q a", 0, true, "^x ^p ^q a"), ("^p ^q a", 1, true, "^p ^x ^q a"),
        ("^p ^q a", 3, true, "^p ^q ^x a"), ("^p ^q a", -1, true, "^x ^p ^q a"),
    ])
    func forcedIndexIsKept(before: String, index: Int, isPinned: Bool, after: String) throws {
        try insert(into: before, gives: after) { _ in
            [TabInsertion(at: index, isPinned: isPinned)]
        }
    }

    @Test(arguments: [
        (nil, "a {b c x} d"), (0, "a {x b c} d"), (2, "a {b x c} d"), (4, "a {b c x} d"),
    ])
    func tabInAGroupStaysInIt(index: Int?, layout: String) throws {
        try insert(into: "a {b c} d", gives: layout) { _ in
            [TabInsertion(at: index, group: TabList.group(1))]
        }
    }

    @Test func noGroupIsEverSplit() throws {
        try insert(into: "a {b c d} {e f}", gives: "a z {b c d} x {e f} y") { _ in
            [TabInsertion(at: 2), TabInsertion(at: 6), TabInsertion(at: 1)]
        }
    }
}

extension TabInsertion {
    /// A tab that is opened from the one with a title.
    fileprivate static func opened(by title: String, _ list: TabList) -> TabInsertion {
        TabInsertion(opener: list[title].id)
    }
}
