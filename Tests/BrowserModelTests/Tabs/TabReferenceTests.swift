import BrowserModel
import BrowserSessions
import Expectations

/// Methods of a list take a tab or its identifier, and never mean another tab.
struct TabReferenceTests {
    private typealias Call = (TabList, TabID) throws(TabListError) -> Void

    private let calls: [(name: String, call: Call)] = [
        ("close", { list, id throws(TabListError) in try list.close(id) }),
        ("close two", { list, id throws(TabListError) in try list.close([list[0].id, id]) }),
        ("detach", { list, id throws(TabListError) in try list.detach(id) }),
        ("detach two", { list, id throws(TabListError) in try list.detach([list[0].id, id]) }),
        ("activate", { list, id throws(TabListError) in try list.activate(id) }),
        ("move", { list, id throws(TabListError) in try list.move(id, to: 0) }),
        ("pin", { list, id throws(TabListError) in try list.pin(id) }),
        ("unpin", { list, id throws(TabListError) in try list.unpin(id) }),
        ("into", { list, id throws(TabListError) in try list.move(id, into: TabList.group(1)) }),
        ("ungroup", { list, id throws(TabListError) in try list.ungroup([id]) }),
        ("replace", { list, id throws(TabListError) in try list.replace(id, with: Tab()) }),
        ("set opener", { list, id throws(TabListError) in try list.setOpener(nil, of: id) }),
        ("transfer", { list, id throws(TabListError) in try list.transfer([id], to: TabList()) }),
        (
            "group",
            { list, id throws(TabListError) in
                try list.create(
                    StructureNode.group(id: TabList.group(9)), of: [list[0].id, id])
            }
        ),
    ]

    @Test func aTabThatIsNotInTheListIsAnErrorAndChangesNothing() throws {
        let list = try TabList.of("^p *a {b c} d")
        let other = try TabList.of("x")
        let closed = list["d"]
        try list.close(closed)
        let (layout, recorder) = (list.layout, ListRecorder(list))
        for id in [closed.id, other["x"].id, .random()] {
            for (name, call) in calls {
                expect(throws: TabListError.unknownTab(id), "\(name)") { try call(list, id) }
                expect(list.layout, is: layout, "\(name)")
            }
        }
        expect(recorder.log, is: [])
        expect(other.layout, is: "x")
    }

    @Test func aTabMeansItselfAndNotItsSuccessor() throws {
        let list = try TabList.of("*a b")
        let old = list["b"]
        try list.close(old)
        try list.insert(Tab(id: old.id, title: "new"))
        expect(throws: TabListError.unknownTab(old.id)) { try list.close(old) }
        expect(throws: TabListError.unknownTab(old.id)) { try list.move(old, to: .top()) }
        expect(throws: TabListError.unknownTab(old.id)) { try list.move([old], to: .top()) }
        expect(list.index(of: old) == nil)
        expect(!list.contains(old))
        expect(list.index(of: old.id), is: 1)
        try list.close(old.id)
        expect(list.layout, is: "*a")
    }

    @Test func tabsAndIdentifiersDoTheSame() throws {
        for useTab in [true, false] {
            let list = try TabList.of("*a b c d e f")
            func act(_ title: String, _ byTab: (Tab) throws -> Void, _ byID: (TabID) throws -> Void)
                throws
            {
                if useTab { try byTab(list[title]) } else { try byID(list[title].id) }
            }
            let group = StructureNode.group(id: TabList.group(1))
            try act("b", { try list.activate($0) }, { try list.activate($0) })
            try act("c", { try list.pin($0) }, { try list.pin($0) })
            try act(
                "e", { try list.create(group, of: [$0]) },
                { try list.create(group, of: [$0]) })
            try act("d", { try list.move($0, into: group) }, { try list.move($0, into: group) })
            try act("f", { try list.move($0, to: 0) }, { try list.move($0, to: 0) })
            expect(list.layout, is: "^c f a *b {e d}")
            try act("e", { try list.ungroup([$0]) }, { try list.ungroup([$0]) })
            try act("c", { try list.unpin($0) }, { try list.unpin($0) })
            try act(
                "a", { try list.close($0, reason: .cleanup) },
                { try list.close($0, reason: .cleanup) })
            try act("f", { try list.detach($0) }, { try list.detach($0) })
            expect(list.layout, is: "c *b {d} e")
            try list.deactivate()
            expect(list.activeTab == nil)
        }
    }

    @Test func aPlaceBeyondTheListIsTheNearestEnd() throws {
        let list = try TabList.of("^p a b {c d}")
        expect(try list.move(list["a"], to: 99) == 4)
        expect(try list.move(list["a"], to: -99) == 1)
        expect(try list.move(list["c"], to: 99) == 4)
        expect(try list.move(TabList.group(1), to: -1) == 1)
        expect(list.layout, is: "^p {d c} a b")
        try list.insert("z", as: TabInsertion(at: 99))
        try list.insert("y", as: TabInsertion(at: -99, isPinned: true))
        expect(list.layout, is: "^y ^p {d c} a b z")
    }

    @Test func theNextActiveTabIsForetold() throws {
        let list = try TabList.of("a *b c")
        expect(list.nextActive(afterRemoving: [list["b"]]) === list["c"])
        expect(list.nextActive(afterRemoving: [list["b"].id, list["c"].id]) === list["a"])
        expect(list.nextActive(afterRemoving: [TabID.random()]) === list["b"])
        expect(list.nextActive(afterRemoving: list) == nil)
    }

    @Test func aTabTellsOfItself() throws {
        let list = try TabList.of("^p *a {b}")
        let opener = TabOpener(tab: list["a"].id, navigationIndex: 2)
        try list.setOpener(opener, of: list["b"])
        list["b"].setFavicon(url: "https://b.example/icon")
        expect(list["p"].isPinned)
        expect(!list["a"].isPinned)
        expect(list["b"].group, is: TabList.group(1))
        expect(list["b"].opener, is: opener)
        expect(list["b"].faviconURL, is: "https://b.example/icon")
        list["b"].wasShown(at: Timestamp(microseconds: 7))
        expect(list["b"].lastActiveAt, is: Timestamp(microseconds: 7))
        expect(Tab(createdAt: Timestamp(microseconds: 3)).createdAt.microseconds, is: 3)
    }
}
