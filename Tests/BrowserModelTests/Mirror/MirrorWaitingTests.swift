import BrowserSessions
import Expectations

@testable import BrowserModel

/// What the user does while the list must not be changed, and the end of a mirror.
struct MirrorWaitingTests {
    /// A list with an observer that lets the user do something once, while it is notified.
    private func meddled(
        _ text: String, _ work: @escaping (FakeStrip) -> Void
    ) throws -> MirroredList {
        let all = try MirroredList(text)
        let recorder = ListRecorder(all.list)
        var isFirst = true
        recorder.onChange = { [unowned strip = all.strip] _, _ in
            if isFirst { work(strip) }
            isFirst = false
        }
        all.strip.companion = recorder
        return all
    }

    @Test func whatTheUserDoesWhileTheListTellsIsDoneWhenItFlushes() throws {
        let all = try meddled("*a b c d") {
            $0.click(3)
            $0.drag(1, to: 0)
            $0.pressClose(2)
        }
        try all.list.insert("e")
        expect(all.list.layout, is: "*a b c d e")
        expect(all.strip.timesAsked, is: 1)
        all.mirror.flush()
        expect(all.list.layout, is: "b a *d e")
        expect(all.isEqual)
        expect(all.strip.timesAsked, is: 1)
    }

    @Test func whatTheUserDoesInABatchIsDoneAfterIt() throws {
        let all = try MirroredList("*a b c")
        let strip = all.strip
        try all.list.performBatch { list in
            try list.close(list[0])
            strip.click(2)
            all.mirror.flush()
            expect(list.layout, is: "*b c")
        }
        expect(all.strip.timesAsked, is: 2)
        all.strip.runLoop()
        expect(all.list.layout, is: "b *c")
        expect(all.isEqual)
    }

    @Test func whatWaitsIsDoneBeforeWhatTheUserDoesNext() throws {
        let all = try meddled("*a b c") { $0.drag(0, to: 2) }
        try all.list.activate(all.list[1])
        expect(all.list.layout, is: "a *b c")
        all.strip.click(0)
        expect(all.list.index(of: all.list["a"]), is: 2)
        all.mirror.flush()
        expect(all.isEqual)
    }

    @Test func whatWaitsForATabThatIsGoneIsLeftOut() throws {
        let all = try meddled("a *b c d") {
            $0.click(2)
            $0.drag(2, to: 0)
        }
        try all.list.activate(all.list[0])
        try all.list.close(all.list["c"])
        all.strip.runLoop()
        expect(all.list.layout, is: "*a b d")
        expect(all.isEqual)
    }

    @Test func flushingTooEarlyAsksAgain() throws {
        let all = try meddled("*a b") { strip in
            strip.click(1)
            strip.mirror?.flush()
            strip.mirror?.flush()
        }
        all.list["a"].setTitle("A")
        expect(all.strip.timesAsked, is: 3)
        expect(all.list.layout, is: "*A b")
        all.mirror.flush()
        expect(all.list.layout, is: "A *b")
        all.mirror.flush()
        expect(all.strip.timesAsked, is: 3)
    }

    @Test func flushingWithinTheCallThatAsksForItIsLeftOut() throws {
        let all = try meddled("*a b") { $0.click(1) }
        all.strip.flushesAtOnce = true
        all.list["a"].setTitle("A")
        expect(all.strip.timesAsked, is: 1)
        expect(all.list.layout, is: "*A b")
        all.mirror.stripChanged()
        expect(all.list.layout, is: "A *b")
    }

    @Test func flushingWhileTheMirrorTalksIsLeftOut() throws {
        let all = try MirroredList("*a b c d")
        all.strip.report = .later
        all.strip.drag(3, to: 0)
        var layouts: [String] = []
        all.strip.onCall = { [unowned mirror = all.mirror] _ in
            mirror.flush()
            layouts.append(mirror.list.layout)
        }
        all.mirror.userClosed(all.list["b"])
        expect(layouts.first, is: "*a c d")
        expect(all.list.layout, is: "d *a c")
        expect(all.isEqual)
    }

    @Test func aMirrorThatHasEndedKeepsNoTab() throws {
        let all = try MirroredList("a *b c")
        var strip: FakeStrip? = FakeStrip()
        let orphan = strip.map { TabListMirror(all.list, strip: $0) }
        strip = nil
        weak let tab = all.list["a"]
        all.list.performBatch { list in
            list["a"].setTitle("A")
            all.strip.click(0)
        }
        all.mirror.stop()
        all.strip.reload([], selected: nil)
        try all.list.close(all.list[0])
        expect(tab == nil)
        withExtendedLifetime((orphan, all)) {}
    }

    @Test func nothingWaitsForATabThatIsNotInTheList() throws {
        let all = try MirroredList("*a b")
        all.list.performBatch { _ in all.mirror.userClosed(Tab(title: "stranger")) }
        expect(all.strip.timesAsked, is: 0)
    }

    @Test func aWindowThatWasClosedLeavesItsStripAlone() throws {
        let profiles = ApplicationContext(root: "profiles").profiles
        let windows = try profiles.create(named: "default").windows
        let window = try windows.open()
        let all = MirroredList(try TabList.of("a *b", window.tabs))
        let tab = all.list["b"]
        all.list.performBatch { _ in all.strip.click(0) }
        try windows.close(window)
        all.mirror.flush()
        all.mirror.userClosed(tab)
        all.mirror.stripChanged()
        expect(all.strip.take(), is: [])
        expect(all.strip.layout, is: "*a b")
    }

    @Test func aMirrorThatWasStoppedDoesNothing() throws {
        let all = try MirroredList("*a b")
        all.list.performBatch { _ in all.strip.click(1) }
        all.mirror.stop()
        all.mirror.stop()
        try all.list.move(all.list[0], to: 1)
        all.strip.runLoop()
        all.strip.click(0)
        all.strip.pressClose(0)
        expect(all.strip.take(), is: [])
        expect(all.list.layout, is: "b *a")
    }
}
