import BrowserModel
import BrowserSessions
import Expectations

/// What the user does in a strip.
struct MirrorUserTests {
    @Test func theListDoesWhatTheUserDoesAndTheStripIsToldNothing() throws {
        let all = try MirroredList("*a b c d")
        all.strip.click(2)
        expect(all.list.layout, is: "a b *c d")
        all.strip.drag(0, to: 2)
        expect(all.list.layout, is: "b *c a d")
        all.strip.drag(3, to: 0)
        expect(all.list.layout, is: "d b *c a")
        all.strip.click(nil)
        expect(all.list.layout, is: "d b c a")
        expect(all.strip.take(), is: [])
        expect(all.isEqual)
    }

    @Test func aTabThatTheUserClosesLeavesListAndStrip() throws {
        let all = try MirroredList("a *b c")
        var reason: ClosingReason?
        let recorder = ListRecorder(all.list)
        recorder.onChange = { _, change in
            if case .removed(let removal) = change { reason = removal.closing }
        }
        all.strip.pressClose(1)
        expect(reason, is: .user)
        expect(all.list.layout, is: "a *c")
        expect(all.isEqual)
        all.mirror.userClosed(Tab(title: "stranger"))
        expect(all.list.count, is: 2)
    }

    @Test func oneReportMayTellOfSeveralTabs() throws {
        let all = try MirroredList("*a b c d e")
        all.strip.report = .never
        all.strip.drag(0, to: 4)
        all.strip.drag(1, to: 0)
        all.strip.click(1)
        all.mirror.stripChanged()
        expect(all.list.layout, is: "c *b d e a")
        expect(all.strip.take(), is: [])
    }

    @Test(arguments: [
        ("^p ^q *a b", 2, 0, "^p ^q *a b"), ("^p ^q *a b", 0, 3, "^q ^p *a b"),
        ("*a {b c d} e", 0, 2, "{b c d} *a e"), ("*a {b c d} e", 4, 2, "*a {b c d} e"),
        ("a {*b c}", 1, 0, "a {*b c}"), ("*a {b c}", 0, 1, "{b c} *a"),
        ("*a {b c d} e", 1, 4, "*a {c d b} e"), ("*a {b c d} e", 2, 0, "*a {c b d} e"),
    ])
    func whatTheListDoesNotAllowIsPutBack(before: String, from: Int, to: Int, after: String) throws
    {
        let all = try MirroredList(before)
        for echo in FakeStrip.Reports.allCases {
            all.strip.echo = echo
            all.strip.drag(from, to: to)
            expect(all.isEqual)
            all.strip.runLoop()
            expect(all.isEqual)
            expect(TabListRules.broken(by: all.list), is: [])
            if echo == .never { expect(all.list.layout, is: after) }
        }
    }

    @Test func aReportThatComesLateCountsThoughTheListHasChanged() throws {
        let all = try MirroredList("a *b c d")
        all.strip.report = .later
        all.strip.drag(1, to: 3)
        all.strip.click(0)
        expect(all.list.layout, is: "a *b c d")
        try all.list.insert("n", as: TabInsertion(at: 0))
        expect(all.strip.timesAsked, is: 1)
        try all.list.close(all.list[all.list.index(of: all.list["c"]) ?? 0])
        all.strip.runLoop()
        expect(all.list.layout, is: "n *a d b")
        expect(all.isEqual)
    }

    @Test func aTabIsUpdatedWhereTheUserHasPutIt() throws {
        let all = try MirroredList("*a b c")
        all.strip.report = .later
        all.strip.drag(2, to: 0)
        all.list["c"].setTitle("C")
        expect(all.strip.take(), is: ["update C"])
        all.strip.runLoop()
        expect(all.list.layout, is: "C *a b")
    }

    @Test func aMoveBehindATabThatIsGoneGoesBehindTheOneBefore() throws {
        let all = try MirroredList("*a b c d")
        all.strip.report = .later
        all.strip.drag(3, to: 2)
        all.strip.drag(0, to: 2)
        // Shown: b d a c.
        try all.list.close(all.list["d"])
        all.strip.runLoop()
        expect(all.list.layout, is: "b *a c")
        expect(all.isEqual)
    }

    @Test func aSelectionBeyondTheTabsSaysNothing() throws {
        let all = try MirroredList("*a b")
        all.strip.click(7)
        expect(all.list.layout, is: "*a b")
        try all.list.activate(all.list[1])
        expect(all.isEqual)
    }

    @Test func tabsThatTheStripHasLostAreShownAgain() throws {
        let all = try MirroredList("a *b c")
        all.strip.lose(2)
        expect(all.strip.take(), is: ["insert c at 2"])
        expect(all.list.layout, is: "a *b c")
        expect(all.isEqual)
    }
}
