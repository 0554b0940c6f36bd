import BrowserModel
import BrowserSessions
import Expectations

struct TabListRestoringTests {
    private let group = StructureNode.group(id: TabList.group(1), name: "news")

    private func saved(_ titles: String...) -> [Tab] {
        zip(titles, OrderKey.evenlySpaced(count: titles.count)).map { title, place in
            Tab.unrealized(title, place: place)
        }
    }

    @Test func restoredTabsComeBeforeThoseOpenedMeanwhileWhichStayActive() throws {
        let list = try TabList.of("^n *m")
        var tabs = saved("p", "a")
        tabs[0] = Tab.unrealized("p", place: tabs[0].metadata.place, pinned: true)
        list.restore(tabs, nodes: [], active: tabs[1].id)
        expect(list.layout, is: "^p ^n a *m")
        expect(TabListRules.broken(by: list), is: [])
    }

    @Test func savedActiveTabIsActiveButNotRealizedNorShown() throws {
        let list = TabList()
        let tabs = saved("a", "b")
        let recorder = ListRecorder(list)
        recorder.hearsTabs = true
        list.restore(tabs, nodes: [], active: tabs[1].id)
        expect(list.layout, is: "a *b")
        expect(list.tabs.allSatisfy { !$0.isRealized })
        expect(tabs[1].metadata.lastActiveAt, is: .unknown)
        expect(
            recorder.log,
            is: [
                "batch begins", "restored a, b", "active b, was none", "batch ends",
            ])
    }

    @Test func noneIsActiveIfTheSavedActiveTabIsNotThere() throws {
        let list = TabList()
        list.restore(saved("a"), nodes: [], active: .random())
        expect(list.layout, is: "a")
    }

    @Test func restoredTabsKeepTheirPlaces() throws {
        let list = try TabList.of("m")
        let tabs = saved("a", "b", "c")
        let places = tabs.map(\.metadata.place)
        list.restore(tabs, nodes: [], active: nil)
        expect(Array(list.places.prefix(3)), is: places)
        expect(list.places[3] > places[2])
    }

    @Test func placesThatDoNotAscendArePutRightAndTold() throws {
        let list = TabList()
        let place = OrderKey.between(nil, and: nil)
        let tabs = ["a", "b", "c"].map { Tab.unrealized($0, place: place) }
        let recorder = ListRecorder(list)
        list.restore(tabs, nodes: [], active: nil)
        expect(list.layout, is: "a b c")
        expect(TabListRules.broken(by: list), is: [])
        expect(recorder.log.contains("attributes of a at 0"))
    }

    @Test func tabsOpenedMeanwhileWhoseAttributesChangeAreTold() throws {
        let list = try TabList.of("^n")
        let recorder = ListRecorder(list)
        let first = Tab.unrealized("p", place: list.places[0], pinned: true)
        list.restore([first], nodes: [], active: nil)
        expect(list.layout, is: "^p ^n")
        expect(recorder.log.contains("attributes of n at 1"))
    }

    @Test func groupsComeBackAndAreTold() throws {
        let list = TabList()
        let recorder = ListRecorder(list)
        let tabs = ["a", "b"].map { Tab.unrealized($0, group: group.id) }
        list.restore(tabs, nodes: [group], active: nil)
        expect(list.layout, is: "{a b}")
        expect(list.groups.map { $0.isLike(group) }, is: [true])
        expect(recorder.log.contains("group 1"))
    }

    @Test func brokenGroupsArePutRight() throws {
        let list = TabList()
        let tabs = [
            Tab.unrealized("p", pinned: true, group: group.id),
            Tab.unrealized("a", group: group.id), Tab.unrealized("b"),
            Tab.unrealized("c", group: group.id), Tab.unrealized("d", group: TabList.group(2)),
        ]
        let empty = StructureNode.group(id: TabList.group(3))
        list.restore(tabs, nodes: [group, group, empty], active: nil)
        expect(list.layout, is: "^p {a c} b {d}")
        expect(list.groups.map(\.name), is: ["news", ""])
        expect(list.group(empty.id) == nil)
    }

    @Test func brokenOpenersArePutRight() throws {
        let list = TabList()
        let parent = Tab.unrealized("a")
        let tabs = [
            parent, Tab.unrealized("b", opener: parent.id), Tab.unrealized("c", opener: .random()),
        ]
        list.restore(tabs, nodes: [], active: nil)
        expect(tabs[1].metadata.opener?.tab, is: parent.id)
        expect(tabs[2].metadata.opener == nil)
    }

    @Test func tabsThatCannotBeInsertedAreLeftOut() throws {
        let list = try TabList.of("m x")
        let (inserted, closed) = (list["m"], list["x"])
        try list.close(list[1])
        let fresh = Tab.unrealized("a")
        let restored = list.restore([inserted, closed, fresh, fresh], nodes: [], active: nil)
        expect(restored.tabs.map(\.title), is: ["a"])
        expect(list.layout, is: "a m")
    }

    @Test func delegateIsToldBeforeAndAttachesToRealizedTabsAlone() throws {
        let list = TabList()
        let delegate = DelegateRecorder()
        list.delegate = delegate
        list.restore([Tab.unrealized("a"), Tab(title: "b")], nodes: [], active: nil)
        expect(
            delegate.log,
            is: [
                "will insert a, not in the list", "will insert b, not in the list",
                "attach to b, in the list",
            ])
    }

    @Test func tenThousandTabsAreRestoredWithoutTheirStates() throws {
        let source = ScriptedSource()
        let tabs = OrderKey.evenlySpaced(count: 10_000).enumerated().map { number, place in
            Tab.unrealized("\(number)", source, place: place)
        }
        let list = TabList()
        let counter = EventCounter(list)
        list.restore(tabs, nodes: [], active: tabs[7_000].id)
        expect(list.count, is: 10_000)
        expect(list.activeIndex, is: 7_000)
        // A batch, all tabs at once, and the active one.
        expect(counter.events, is: 4)
        expect(source.reads, is: 0)
        expect(source.wanted.isEmpty)
    }
}

/// Counts the changes that a list reports.
private final class EventCounter: TabListObserver {
    var events = 0

    init(_ list: TabList) { list.addObserver(self) }

    func tabList(_ list: TabList, did change: TabListChange) { events += 1 }
}
