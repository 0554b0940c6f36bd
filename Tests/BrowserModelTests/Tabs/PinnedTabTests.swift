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

    @Test func movesStayWithinTheirSection() throws {
        let list = try TabList.of("^p ^q a b")
        expect(try list.move(list[0], to: 3) == 1)
        expect(list.layout, is: "^q ^p a b")
        expect(try list.move(list[3], to: 0) == 2)
        expect(list.layout, is: "^q ^p b a")
    }

    @Test func movesStayWithinTheirGroup() throws {
        let list = try TabList.of("^p a {b c d} e")
        expect(try list.move(list[2], to: 5) == 4)
        expect(list.layout, is: "^p a {c d b} e")
        expect(try list.move(list[4], to: 0) == 2)
        expect(list.layout, is: "^p a {b c d} e")
    }

    @Test func movedTabDoesNotSplitAGroup() throws {
        let list = try TabList.of("a {b c} d")
        expect(try list.move(list[0], to: 1) == 2)
        expect(list.layout, is: "{b c} a d")
        expect(try list.move(list[3], to: 1) == 2)
        expect(list.layout, is: "{b c} d a")
    }

    @Test func moveToTheSameIndexIsNotTold() throws {
        let list = try TabList.of("^p a b")
        let recorder = ListRecorder(list)
        try list.move(list[1], to: 1)
        try list.move(list[1], to: 0)
        expect(recorder.log.isEmpty)
    }
}
