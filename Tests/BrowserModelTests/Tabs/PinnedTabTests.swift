import BrowserModel
import BrowserSessions
import Testing

struct PinnedTabTests {
    @Test func pinnedTabGoesToTheEndOfThePinnedOnes() throws {
        let list = try TabList.of("^p a b")
        let recorder = ListRecorder(list)
        #expect(list.setPinned(true, at: 2) == 1)
        #expect(list.layout == "^p ^b a")
        #expect(recorder.log == ["moved b from 2 to 1", "attributes of b at 1"])
    }

    @Test func unpinnedTabGoesRightBehindThePinnedOnes() throws {
        let list = try TabList.of("^p ^q {a b}")
        #expect(list.setPinned(false, at: 0) == 1)
        #expect(list.layout == "^q p {a b}")
        #expect(list.pinnedCount == 1)
    }

    @Test func pinningATabThatNeedNotMoveIsTold() throws {
        let list = try TabList.of("a b")
        let recorder = ListRecorder(list)
        #expect(list.setPinned(true, at: 0) == 0)
        #expect(list.setPinned(true, at: 0) == 0)
        #expect(list.layout == "^a b")
        #expect(recorder.log == ["attributes of a at 0"])
    }

    @Test func pinnedTabLeavesItsGroupWhichEndsWithItsLastTab() throws {
        let list = try TabList.of("a {b c}")
        let recorder = ListRecorder(list)
        list.setPinned(true, at: 1)
        #expect(list.layout == "^b a {c}")
        _ = recorder.take()
        list.setPinned(true, at: 2)
        #expect(list.layout == "^b ^c a")
        #expect(list.group(TabList.group(1)) == nil)
        #expect(recorder.log == ["moved c from 2 to 1", "attributes of c at 1", "group 1"])
    }

    @Test func movesStayWithinTheirSection() throws {
        let list = try TabList.of("^p ^q a b")
        #expect(list.move(from: 0, to: 3) == 1)
        #expect(list.layout == "^q ^p a b")
        #expect(list.move(from: 3, to: 0) == 2)
        #expect(list.layout == "^q ^p b a")
    }

    @Test func movesStayWithinTheirGroup() throws {
        let list = try TabList.of("^p a {b c d} e")
        #expect(list.move(from: 2, to: 5) == 4)
        #expect(list.layout == "^p a {c d b} e")
        #expect(list.move(from: 4, to: 0) == 2)
        #expect(list.layout == "^p a {b c d} e")
    }

    @Test func movedTabDoesNotSplitAGroup() throws {
        let list = try TabList.of("a {b c} d")
        #expect(list.move(from: 0, to: 1) == 2)
        #expect(list.layout == "{b c} a d")
        #expect(list.move(from: 3, to: 1) == 2)
        #expect(list.layout == "{b c} d a")
    }

    @Test func moveToTheSameIndexIsNotTold() throws {
        let list = try TabList.of("^p a b")
        let recorder = ListRecorder(list)
        list.move(from: 1, to: 1)
        list.move(from: 1, to: 0)
        #expect(recorder.log.isEmpty)
    }
}
