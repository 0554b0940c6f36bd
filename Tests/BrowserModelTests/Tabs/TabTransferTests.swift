import BrowserModel
import BrowserSessions
import Expectations

struct TabTransferTests {
    private let registry = TabRegistry()

    private func lists(_ from: String, _ to: String) throws -> (from: TabList, to: TabList) {
        (
            try .of(from, TabList(registry: registry)),
            try .of(to, TabList(registry: registry))
        )
    }

    /// Moves tabs and returns both lists as text.
    private func transfer(
        _ titles: String..., from: String, to: String, _ place: TabTransferPlace = .end,
        file: String = #fileID, line: Int = #line
    ) throws -> [String] {
        let lists = try lists(from, to)
        try lists.from.transfer(titles.map { lists.from[$0] }, to: lists.to, at: place)
        for list in [lists.from, lists.to] {
            expect(TabListRules.broken(by: list), is: [], file: file, line: line)
        }
        return [lists.from.layout, lists.to.layout]
    }

    @Test func tabsKeepOrderAndPinsAndComeBehindThoseThatAreThereOrThePinnedOnes() throws {
        expect(
            try transfer("d", "p", "b", from: "^p *a b c d", to: "^q *x y")
                == ["*a c", "^q ^p *x y b d"])
        expect(
            try transfer("p", "b", from: "^p *a b", to: "^q *x", .front)
                == ["*a", "^p ^q b *x"])
        // The active tab is active there if no other is.
        expect(try transfer("a", "b", from: "a *b c", to: "x") == ["*c", "x a *b"])
        expect(try transfer("a", "b", from: "a *b c", to: "*x") == ["*c", "*x a b"])
    }

    @Test func aGroupMovesWithItsNameAndColour() throws {
        let lists = try lists("*a {b c} d", "x")
        try lists.from.update(
            StructureNode.group(id: TabList.group(1), name: "G", color: .red, isCollapsed: true))
        try lists.from.transfer([lists.from["b"], lists.from["c"]], to: lists.to)
        expect(lists.to.layout, is: "x {b c}")
        expect(lists.to.groups.map(\.name), is: ["G"])
        expect(lists.to.groups.map(\.color), is: [.red])
        expect(lists.from.groups.isEmpty)
    }

    @Test func aTabJoinsItsGroupIfThatIsThereAlready() throws {
        let lists = try lists("a {b c d}", "x y")
        try lists.from.transfer([lists.from["b"]], to: lists.to)
        expect(lists.from.layout, is: "a {c d}")
        try lists.from.transfer([lists.from["d"]], to: lists.to, at: .front)
        expect(lists.to.layout, is: "x y {b d}")
        try lists.to.transfer([lists.to["b"], lists.to["d"]], to: lists.from, at: .front)
        expect(lists.from.layout, is: "a {c b d}")
        expect(lists.to.groups.isEmpty)
    }

    @Test func openersThatMoveAlongAreKeptAndOthersAreNot() throws {
        let lists = try lists("a b c d", "x")
        try lists.from.setOpener(
            TabOpener(tab: lists.from["a"].id, navigationIndex: 3), of: lists.from[1])
        try lists.from.setOpener(TabOpener(tab: lists.from["d"].id), of: lists.from[2])
        try lists.from.transfer([lists.from["a"], lists.from["b"], lists.from["c"]], to: lists.to)
        expect(lists.to["b"].metadata.opener?.tab, is: lists.to["a"].id)
        expect(lists.to["b"].metadata.opener?.navigationIndex, is: 3)
        expect(lists.to["c"].metadata.opener == nil)
    }

    @Test func noTabIsRealizedThatDoesNotBecomeActive() throws {
        let from = TabList(registry: registry)
        let hidden = TabList(realizesActiveTab: false, registry: registry)
        let unrealized = (0..<3).map { _ in
            Tab(
                unrealized: TabMetadata(id: .random(), place: .between(nil, and: nil)),
                state: TabState())
        }
        for tab in unrealized { try from.insert(tab) }
        from.restore([], nodes: [], active: nil)
        try from.transfer([from[0], from[1], from[2]], to: hidden)
        try hidden.activate(hidden[1])
        expect(hidden.tabs.map(\.isRealized), is: [false, false, false])
        try hidden.transfer([hidden[0], hidden[1], hidden[2]], to: from)
        expect(from.tabs.map(\.isRealized), is: [false, true, false])
    }

    @Test func aRealizedTabKeepsItsContent() throws {
        let lists = try lists("*a b", "x")
        let content = lists.from["b"].page
        try lists.from.transfer([lists.from[1]], to: lists.to)
        expect(lists.to["b"].page === content)
        expect(lists.to["b"].list === lists.to)
    }

    @Test func placesStayWhenTheyFit() throws {
        let lists = try lists("a b c d e", "")
        let places = lists.from.tabs.map(\.metadata.place)
        try lists.from.transfer(lists.from[0..<5], to: lists.to)
        expect(lists.to.tabs.map(\.metadata.place), is: places)
        try lists.from.insert(Tab(title: "new"))
        try lists.to.transfer(lists.to[0..<5], to: lists.from, at: .front)
        expect(lists.from.layout, is: "a b c d e new")
        expect(lists.from.tabs.prefix(5).map(\.metadata.place), is: places)
    }

    @Test("tabs do not move into the list of a closed window, where no one would save them")
    func closedWindow() throws {
        let windows = WindowList()
        let (window, other) = (try windows.open(), try windows.open())
        let tab = Tab(title: "a")
        try window.tabs.insert(tab, as: .active)
        try windows.close(other)
        expect(throws: TabListError.windowClosed) {
            try window.tabs.transfer([tab], to: other.tabs)
        }
        expect(throws: TabListError.windowClosed) { try other.tabs.insert(Tab()) }
        expect(window.tabs.activeTab === tab && other.tabs.isEmpty)
    }

    @Test func oneTabThatMovesChangesNoPlaceOfTheOthers() throws {
        let lists = try lists("z", "^p a b c d e")
        let places = lists.to.tabs.map(\.metadata.place)
        try lists.from.transfer([lists.from[0]], to: lists.to, at: .front)
        expect(lists.to.layout, is: "^p z a b c d e")
        expect(lists.to.tabs.filter { $0.title != "z" }.map(\.metadata.place), is: places)
        expect(TabListRules.broken(by: lists.to), is: [])
    }

    @Test func placesAreMadeAnewWhereThereIsNoRoom() throws {
        let lists = try lists("", "")
        for number in 0..<2000 {
            try lists.from.insert(Tab(title: "m\(number)"))
            try lists.to.insert(Tab(title: "t\(number)"))
        }
        try lists.from.transfer(lists.from[0..<2000], to: lists.to, at: .front)
        expect(lists.to[2000].title, is: "t0")
        expect(lists.to.tabs.allSatisfy { $0.metadata.place.length <= 48 })
        expect(TabListRules.broken(by: lists.to), is: [])
    }

    @Test func eachListTellsOneBatch() throws {
        let lists = try lists("a b *c", "x y z")
        let (from, to) = (ListRecorder(lists.from), ListRecorder(lists.to))
        try lists.from.transfer([lists.from[0], lists.from[1]], to: lists.to)
        expect(
            from.log, is: ["batch begins", "removed b from 1", "removed a from 0", "batch ends"])
        expect(to.log, is: ["batch begins", "inserted a at 3", "inserted b at 4", "batch ends"])
    }

    @Test func aTabDoesNotCrossPartitions() throws {
        let list = try TabList.of("a")
        let hidden = TabList(isIncognito: true)
        expect(throws: TabListError.crossesPartitions(list["a"].id)) {
            try list.transfer([list[0]], to: hidden)
        }
        expect(list.layout, is: "a")
    }

    @Test func anIdentifierOfAnotherProfileIsNotTakenTwice() throws {
        let id = TabID.random()
        let (mine, other) = (TabList(), TabList())
        try mine.insert(Tab(id: id))
        try other.insert(Tab(id: id))
        expect(throws: TabListError.duplicateIdentifier(id)) {
            try mine.transfer([mine[0]], to: other)
        }
        expect(mine.count, is: 1)
    }
}
