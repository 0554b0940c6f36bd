import BrowserModel
import BrowserSessions
import Expectations

/// How a mirror changes its strip when the list changes.
struct MirrorShowingTests {
    @Test func theStripIsReloadedAtFirst() throws {
        let (list, strip) = (try TabList.of("a *b"), FakeStrip())
        let mirror = TabListMirror(list, strip: strip)
        expect(strip.take(), is: ["reload 2, 1"])
        expect(strip.layout, is: "a *b")
        mirror.stop()
    }

    @Test func whatAStripShowedBeforeIsNotTheUsersDoing() throws {
        let all = try MirroredList("a *b c")
        all.mirror.stop()
        try all.list.activate(all.list[0])
        try all.list.move(all.list[1], to: 2)
        let next = MirroredList(all.list, all.strip)
        next.mirror.stripChanged()
        expect(next.list.layout, is: "*a c b")
        try next.list.deactivate()
        expect(next.strip.timesAsked, is: 0)
        expect(next.isEqual)
    }

    @Test func eachChangeIsOneCall() throws {
        let (all, list) = try mirrored("*a b c")
        try list.insert("d", as: TabInsertion(at: 1))
        expect(all.strip.take(), is: ["insert d at 1"])
        try list.move(list[0], to: 2)
        expect(all.strip.take(), is: ["move 0 to 2"])
        try list.close(list[3])
        expect(all.strip.take(), is: ["remove 3"])
        try list.activate(list[0])
        expect(all.strip.take(), is: ["select 0"])
        try list.deactivate()
        expect(all.strip.take(), is: ["select none"])
        expect(all.strip.layout, is: list.layout)
    }

    @Test func aTabIsUpdatedWhenWhatAStripShowsOfItChanged() throws {
        let (all, list) = try mirrored("*a b {c d}")
        list["b"].setTitle("B")
        list["a"].setLoad(.loading(""))
        list["a"].stateDidChange()
        list["a"].wasShown(at: Timestamp(microseconds: 5))
        expect(all.strip.take(), is: ["update B", "update a"])
        try list.pin(list[1])
        expect(all.strip.take(), is: ["move 1 to 0", "update B"])
        try list.update(StructureNode.group(id: TabList.group(1), name: "G"))
        expect(all.strip.take(), is: ["update c", "update d"])
        try list.dissolve(TabList.group(1))
        let updates = all.strip.take()
        expect(updates.contains("update c") && updates.contains("update d"))
    }

    @Test func aTabInThePlaceOfAnotherIsSelectedOnce() throws {
        let (all, list) = try mirrored("a *b c")
        try list.replace(list[1], with: Tab(title: "d"))
        expect(all.strip.take(), is: ["remove 1", "insert d at 1", "select 1"])
    }

    @Test func aBatchOfFewChangesIsToldOneByOneAtItsEnd() throws {
        let (all, list) = try mirrored("a *b c d")
        try list.performBatch { list in
            try list.close([list[1], list[3]])
            try list.move(list[1], to: 0)
            list["a"].setTitle("A")
            list["A"].setTitle("AA")
            try list.insert("e").setTitle("E")
            expect(all.strip.take(), is: [])
        }
        expect(
            all.strip.take(),
            is: [
                "remove 3", "remove 1", "move 1 to 0", "insert E at 2", "select 0", "update AA",
            ])
        expect(all.strip.layout, is: list.layout)
    }

    @Test func asFewTabsMoveAsPossible() throws {
        let (all, list) = try mirrored("*a b c d e f")
        try list.performBatch { list in
            for _ in 0..<5 { try list.move(list[0], to: 4) }
            try list.move(list[0], to: 5)
        }
        expect(list.layout, is: "b c d e f *a")
        expect(all.strip.take(), is: ["move 0 to 5"])
    }

    @Test(arguments: [(16, 100), (17, 100), (12, 96), (13, 200), (1_000, 10_000), (1_251, 10_000)])
    func aBatchOfManyChangesReloadsTheStripOnce(closed: Int, count: Int) throws {
        let list = TabList()
        for number in 0..<count { try list.insert(Tab(title: "\(number)")) }
        let all = MirroredList(list)
        try list.close((0..<closed).map { $0 * (count / closed) }.map { list[$0] })
        let calls = all.strip.take()
        let isMany = closed > 16 && closed > (count - closed) / 8
        expect(calls.count, is: (isMany ? 1 : closed))
        expect(calls[0].hasPrefix(isMany ? "reload" : "remove"))
        expect(all.isEqual)
    }

    @Test(arguments: [1, 3, 300]) func restoredTabsReloadTheStripOnce(count: Int) throws {
        let (all, list) = try mirrored("")
        let saved = (0..<count).map { Tab.unrealized("\($0)") }
        list.restore(saved, nodes: [], active: saved.first?.id)
        expect(all.strip.take(), is: ["reload \(count), 0"])
        expect(all.isEqual)
    }

    /// A strip with nothing but what the protocol asks for.
    private final class PlainStrip: TabStrip {
        var tabs: [Tab] = []
        var selectedIndex: Int?

        func insert(_ tab: Tab, at index: Int) { tabs.insert(tab, at: index) }
        func move(from: Int, to: Int) { tabs.insert(tabs.remove(at: from), at: to) }
        func remove(at index: Int) { tabs.remove(at: index) }
        func select(_ index: Int?) { selectedIndex = index }
        func update(_ tab: Tab, at index: Int) {}
        func flushSoon() {}
    }

    @Test func aStripThatKnowsNoReloadGetsItsTabsOneByOne() throws {
        let (list, strip) = (try TabList.of("a b"), PlainStrip())
        let mirror = TabListMirror(list, strip: strip)
        list.restore((0..<3).map { Tab.unrealized("\($0)") }, nodes: [], active: nil)
        expect(strip.tabs.map(\.id), is: list.map(\.id))
        list.closeAll(reason: .user)
        expect(strip.tabs.isEmpty)
        mirror.stop()
    }

    private func mirrored(_ text: String) throws -> (MirroredList, TabList) {
        let all = try MirroredList(text)
        return (all, all.list)
    }
}
