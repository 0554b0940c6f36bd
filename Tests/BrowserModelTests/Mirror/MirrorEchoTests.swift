import BrowserModel
import BrowserSessions
import Expectations

/// What a strip reports of what the mirror changed.
struct MirrorEchoTests {
    @Test(arguments: [FakeStrip.Reports.atOnce, .later])
    func anEchoChangesNothing(echo: FakeStrip.Reports) throws {
        let all = try MirroredList("^p *a b {c d}")
        all.strip.echo = echo
        let recorder = ListRecorder(all.list)
        try all.list.insert("e", as: .active)
        try all.list.move(all.list[1], to: 2)
        try all.list.close(all.list[0])
        try all.list.activate(all.list[0])
        all.list.restore([.unrealized("r")], nodes: [], active: nil)
        let (log, layout) = (recorder.take(), all.list.layout)
        expect(all.isEqual)
        _ = all.strip.take()
        all.strip.runLoop()
        expect(recorder.take(), is: [])
        expect(all.strip.take(), is: [])
        expect(all.list.layout, is: layout)
        // Only the test activated, moved and closed.
        expect(log.count, is: 8)
    }

    @Test func lateEchoesOfTwoSelectionsDoNotChaseEachOther() throws {
        let all = try MirroredList("*a b c")
        all.strip.echo = .later
        try all.list.activate(all.list[1])
        try all.list.activate(all.list[2])
        try all.list.insert("d", as: TabInsertion(at: 0))
        let recorder = ListRecorder(all.list)
        all.strip.runLoop()
        expect(recorder.log, is: [])
        expect(all.list.layout, is: "d a b *c")
    }

    @Test func aLateEchoDoesNotUndoWhatTheUserDoes() throws {
        let all = try MirroredList("*a b c")
        all.strip.echo = .later
        try all.list.activate(all.list[1])
        all.strip.click(2)
        all.strip.runLoop()
        expect(all.list.layout, is: "a b *c")
        expect(all.isEqual)
    }

    @Test func whatAStripSelectsByItselfIsNotTheUsersDoing() throws {
        let all = try MirroredList("")
        (all.strip.selectsByItself, all.strip.echo) = (true, .later)
        try all.list.insert("a")
        try all.list.insert("b")
        all.strip.runLoop()
        try all.list.insert("c")
        all.strip.runLoop()
        expect(all.strip.layout, is: "*a b c")
        expect(all.list.layout, is: "a b c")
        expect(all.strip.timesAsked, is: 0)
    }

    @Test func whatIsChangedInAnswerToAnEchoIsShownAfterwards() throws {
        let all = try MirroredList("^p *a b")
        let list = all.list
        var isFirst = true
        all.strip.onCall = { _ in
            if isFirst { try? list.close(list[2]) }
            isFirst = false
        }
        // The list refuses, so that the mirror moves it back while the list notifies no observer.
        all.strip.drag(1, to: 0)
        expect(list.layout, is: "^p *a")
        expect(all.isEqual)
        expect(all.strip.take(), is: ["move 0 to 1", "remove 2"])
    }
}
