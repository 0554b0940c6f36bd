import BrowserModel
import BrowserSessions
import Expectations

struct PinnedTabTests {
    @Test func pinnedTabGoesToTheEndOfThePinnedOnes() throws {
        let list = try TabList.of("^p a b")
        let recorder = ListRecorder(list)
        expect(try list.pin(list[2]) == 1)
        expect(list.layout, is: "^p ^b a")
        expect(recorder.log, is: ["moved b from 2 to 1", "attributes of b at 1"])
    }

    @Test func unpinnedTabGoesRightBehindThePinnedOnes() throws {
        let list = try TabList.of("^p ^q {a b}")
        expect(try list.unpin(list[0]) == 1)
        expect(list.layout, is: "^q p {a b}")
        expect(list.pinnedCount, is: 1)
    }

    @Test func pinningATabThatNeedNotMoveIsTold() throws {
        let list = try TabList.of("a b")
        let recorder = ListRecorder(list)
        expect(try list.pin(list[0]) == 0)
        expect(try list.pin(list[0]) == 0)
        expect(list.layout, is: "^a b")
        expect(recorder.log, is: ["attributes of a at 0"])
    }

    @Test func pinnedTabLeavesItsGroupWhichEndsWithItsLastTab() throws {
        let list = try TabList.of("a {b c}")
        let recorder = ListRecorder(list)
        try list.pin(list[1])
        expect(list.layout, is: "^b a {c}")
        _ = recorder.take()
        try list.pin(list[2])
        expect(list.layout, is: "^b ^c a")
        expect(list.group(TabList.group(1)) == nil)
        expect(recorder.log, is: ["moved c from 2 to 1", "attributes of c at 1", "group 1"])
    }

    /// Each move is of a tab to an index, gives another index, and is made after those above it.
    @Test(arguments: [
        ("^p ^q a b", [(0, 3, 1, "^q ^p a b"), (3, 0, 2, "^q ^p b a")]),
        ("^p a {b c d} e", [(2, 5, 4, "^p a {c d b} e"), (4, 0, 2, "^p a {b c d} e")]),
        ("a {b c} d", [(0, 1, 2, "{b c} a d"), (3, 1, 2, "{b c} d a")]),
    ])
    func movesStayWithinTheirSectionAndSplitNoGroup(
        layout: String, moves: [(from: Int, to: Int, index: Int, layout: String)]
    ) throws {
        let list = try TabList.of(layout)
        for move in moves {
            expect(try list.move(list[move.from], to: move.to) == move.index)
            expect(list.layout, is: move.layout)
        }
    }

    @Test func moveToTheSameIndexAndClosingNoTabAreNotTold() throws {
        let list = try TabList.of("^p a b")
        let recorder = ListRecorder(list)
        try list.move(list[1], to: 1)
        try list.move(list[1], to: 0)
        try list.close([Tab]())
        expect(try list.detach([Tab]()).isEmpty && recorder.log.isEmpty)
    }
}
