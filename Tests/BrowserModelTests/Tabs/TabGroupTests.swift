import BrowserModel
import BrowserSessions
import Expectations

struct TabGroupTests {
    private let new = StructureNode.group(id: TabList.group(9), name: "new", color: .blue)

    @Test func groupGathersUnpinsAndUngroupsItsTabs() throws {
        let list = try TabList.of("^p ^q a {b c} d")
        let recorder = ListRecorder(list)
        expect(try list.create(new, of: [list[0], list[3], list[5]]) == 1..<4)
        expect(list.layout, is: "^q {p b d} a {c}")
        expect(list.group(new.id)?.isLike(new), is: true)
        expect(list.groups.map(\.name), is: ["new", ""])
        expect(recorder.log.first, is: "batch begins")
        expect(recorder.log.suffix(2), is: ["group 9", "batch ends"])
    }

    @Test func groupComesBehindOneThatItWouldSplit() throws {
        let list = try TabList.of("{a b c} d")
        try list.create(new, of: [list[1], list[3]])
        expect(list.layout, is: "{a c} {b d}")
    }

    @Test func addedTabsComeToTheEndOfTheGroup() throws {
        let list = try TabList.of("^p a {b c} d {e}")
        try list.move([list[0], list[1], list[5]], to: .inside(TabList.group(1)))
        expect(list.layout, is: "{b c p a e} d")
        expect(list.group(TabList.group(2)) == nil)
    }

    @Test func ungroupedTabsComeRightBehindTheirGroup() throws {
        let list = try TabList.of("{a b c d} e")
        try list.ungroup([list[0], list[1], list[4]])
        expect(list.layout, is: "{c d} a b e")
    }

    @Test func groupEndsWithItsLastTab() throws {
        for end in ["ungroup", "close", "detach"] {
            let list = try TabList.of("a {b} c")
            let recorder = ListRecorder(list)
            switch end {
            case "ungroup": try list.ungroup([list[1]])
            case "close": try list.close(list[1])
            default: try list.detach(list[1])
            }
            expect(list.groups.isEmpty)
            expect(list.group(TabList.group(1)) == nil)
            expect(recorder.log.count { $0 == "group 1" }, is: 1, "\(end)")
        }
    }

    @Test func dissolvedGroupLeavesItsTabsWhereTheyAre() throws {
        let list = try TabList.of("a {b c} d")
        let recorder = ListRecorder(list)
        try list.dissolve(TabList.group(1))
        expect(list.layout, is: "a b c d")
        expect(
            recorder.log,
            is: [
                "batch begins", "attributes of c at 2", "attributes of b at 1", "group 1",
                "batch ends",
            ])
    }

    @Test func closedGroupTakesItsTabsAlong() throws {
        let list = try TabList.of("a {b c} d")
        let tab = list["b"]
        try list.closeAll(in: TabList.group(1))
        expect(list.layout, is: "a d")
        expect(tab.isClosed)
    }

    @Test func updatedGroupIsToldOnceAndOnlyIfItChanges() throws {
        let list = try TabList.of("{a}")
        let recorder = ListRecorder(list)
        let group = StructureNode.group(id: TabList.group(1), name: "news", isCollapsed: true)
        try list.update(group)
        try list.update(group)
        expect(list.group(group.id)?.isLike(group), is: true)
        expect(recorder.log, is: ["group 1"])
    }

    @Test(arguments: [
        (0, "^p {c d} a b {e f} g"), (1, "^p {c d} a b {e f} g"), (2, "^p a {c d} b {e f} g"),
        (4, "^p a b {e f} {c d} g"), (5, "^p a b {e f} {c d} g"), (9, "^p a b {e f} g {c d}"),
    ])
    func wholeGroupMovesAsNearAsPinnedTabsAndGroupsAllow(target: Int, layout: String) throws {
        let list = try TabList.of("^p a b {c d} {e f} g")
        let index = try list.move(TabList.group(1), to: target)
        expect(list.layout, is: layout)
        expect(index, is: list.range(of: TabList.group(1))?.lowerBound)
    }

    @Test func moveOfAGroupIsOneChange() throws {
        let list = try TabList.of("a {b c} d e")
        let recorder = ListRecorder(list)
        try list.move(TabList.group(1), to: 2)
        expect(recorder.take(), is: ["moved b, c from 1 to 2"])
        try list.move(TabList.group(1), to: 0)
        expect(recorder.take(), is: ["moved b, c from 2 to 0"])
        try list.move(TabList.group(1), to: 0)
        expect(recorder.log.isEmpty)
    }

    @Test func unknownDuplicateAndEmptyGroupsAreRefused() throws {
        let list = try TabList.of("{a} b")
        let recorder = ListRecorder(list)
        let known = TabList.group(1)
        expect(throws: TabListError.duplicateNode(known)) {
            try list.create(StructureNode.group(id: known), of: [list[1]])
        }
        expect(throws: TabListError.emptyNode(new.id)) { try list.create(new, of: [Tab]()) }
        expect(throws: TabListError.unknownNode(new.id)) {
            try list.move([list[1]], to: .inside(new.id))
        }
        expect(throws: TabListError.unknownNode(new.id)) { try list.dissolve(new.id) }
        expect(throws: TabListError.unknownNode(new.id)) { try list.closeAll(in: new.id) }
        expect(throws: TabListError.unknownNode(new.id)) { try list.update(new) }
        expect(throws: TabListError.unknownNode(new.id)) { try list.move(new.id, to: 0) }
        expect(list.layout, is: "{a} b")
        expect(recorder.log.isEmpty)
    }
}
