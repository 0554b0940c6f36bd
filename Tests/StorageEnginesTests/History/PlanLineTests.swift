import Expectations

@testable import BrowserSessions
@testable import RestorePlans
@testable import StorageEngines

/// Plans over small profiles, line by line.
@Suite("lines of plans")
struct PlanLineTests {
    private let window = SessionID(window: WindowID(high: 7, low: 1))
    private let other = SessionID(window: WindowID(high: 7, low: 2))
    private let shelf = SessionID(window: WindowID(high: 7, low: 9), kind: .recentlyClosed)
    private let group = StructureNode(
        id: NodeID(high: 9, low: 1), .group, place: .middle, name: "Read")

    private func tab(_ number: UInt64, in group: NodeID? = nil) -> TabMetadata {
        TabMetadata(
            id: TabID(high: 3, low: number), place: OrderKey.evenlySpaced(count: 20)[Int(number)],
            url: "https://example.org/\(number)", title: "Tab \(number)", group: group)
    }

    private func session(
        _ id: SessionID, _ tabs: [TabMetadata], _ nodes: [StructureNode] = [],
        closedAt: Timestamp? = nil
    ) -> RestoredSession {
        var session = RestoredSession(
            id: id, attributes: SessionAttributes(activeTab: tabs.first?.id), tabs: tabs,
            nodes: nodes)
        session.attributes.closedAt = closedAt
        return session
    }

    private func plan(
        _ past: [RestoredSession], _ present: [RestoredSession], mode: RestorePlan.Mode = .merge
    ) -> RestorePlan {
        PlanMaker.plan(mode, at: nil, from: SessionRecords(past), over: SessionRecords(present))
    }

    /// What a plan makes of the present, in a store.
    private func apply(_ plan: RestorePlan, to present: [RestoredSession]) throws
        -> [SessionID: [TabID]]
    {
        let fixture = try StoreFixture()
        _ = try fixture.store.saveBlocking(SessionDifference(from: [], to: present).changes)
        var application = PlanApplication(plan, to: present)
        _ = try fixture.store.saveBlocking(application.run())
        return Dictionary(
            uniqueKeysWithValues: try fixture.sessions().map { ($0.id, $0.tabs.map(\.id)) })
    }

    private func lines(_ plan: RestorePlan) -> [String] {
        plan.activeLines.map { "\($0.action.rawValue) \($0.title.isEmpty ? "-" : $0.title)" }
    }

    @Test("A group that is struck out takes its tabs with it, and goes with its last tab")
    func groups() throws {
        let past = [session(window, [tab(1), tab(2, in: group.id), tab(3, in: group.id)], [group])]
        let present = [session(window, [tab(1)])]
        var plan = self.plan(past, present)
        expect(lines(plan), is: ["add Read", "add Tab 2", "add Tab 3"])
        expect(plan.lines.map(\.requires), is: [[], [1], [1]])
        plan.strike(1)
        expect(lines(plan), is: [])
        plan.unstrike(2)
        expect(lines(plan), is: ["add Read", "add Tab 2"])
        plan.strike(2)
        expect(plan.isEmpty)
        plan.strike(99)
        plan.unstrike(3)
        expect(try apply(plan, to: present) == [window: [tab(1).id, tab(3).id]])
    }

    @Test(
        "A window that is gone comes back; one that was closed is open again and keeps what it has")
    func windows() throws {
        let past = [session(window, [tab(1)]), session(other, [tab(2)])]
        let present = [session(other, [tab(2), tab(3)], closedAt: Timestamp(microseconds: 9))]
        let plan = self.plan(past, present)
        expect(lines(plan), is: ["add -", "add Tab 1", "change -"])
        expect(plan.lines.last?.then?.attributes?.closedAt == nil)
        expect(
            try apply(plan, to: present) == [window: [tab(1).id], other: [tab(2).id, tab(3).id]])
        var struck = plan
        struck.strike(2)
        expect(lines(struck), is: ["change -"])
    }

    @Test("A closed tab goes back to where it was; one that is open elsewhere stays there")
    func moves() throws {
        let past = [session(window, [tab(1), tab(2)]), session(other, [tab(3)])]
        var closed = tab(2)
        closed.title = "newer"
        closed.closedFrom = FormerPlace()
        closed.properties = ["host": "newer", "browser-sessions.closed-active": "yes"]
        let present = [
            session(window, []), session(other, [tab(3), tab(1)]), session(shelf, [closed]),
        ]
        let plan = self.plan(past, present)
        expect(lines(plan), is: ["move-back newer"])
        expect(plan.lines.first?.then?.tab?.closedFrom == nil)
        // What it was like when it was closed is no part of an open tab.
        expect(plan.lines.first?.then?.tab?.properties, is: ["host": "newer"])
        // The shelf has nothing left, and goes.
        expect(
            try apply(plan, to: present) == [
                window: [tab(2).id], other: [tab(1).id, tab(3).id],
            ])
        let replacing = self.plan(past, present, mode: .replace)
        expect(
            lines(replacing),
            is: [
                "move-back Tab 1", "move-back Tab 2", "change -", "remove -",
            ])
        expect(
            try apply(replacing, to: present) == [
                window: [tab(1).id, tab(2).id], other: [tab(3).id],
            ])
    }

    @Test("What came since goes only by its line; its session stays if something is left in it")
    func removals() throws {
        let past = [session(window, [tab(1)])]
        let present = [session(window, [tab(1)]), session(other, [tab(2), tab(3)])]
        var plan = self.plan(past, present, mode: .replace)
        expect(lines(plan), is: ["remove -", "remove Tab 2", "remove Tab 3"])
        expect(plan.lines.first?.requires, is: [2, 3])
        plan.strike(2)
        expect(lines(plan), is: ["remove Tab 3"])
        expect(try apply(plan, to: present) == [window: [tab(1).id], other: [tab(2).id]])
        // A tab that came after the plan was made keeps its window.
        var late = present
        late[1].tabs.append(tab(4))
        var application = PlanApplication(self.plan(past, present, mode: .replace), to: late)
        _ = application.run()
        expect(application.skipped.map(\.reason), is: [.notEmpty])
        expect(application.done.count, is: 2)
    }

    @Test("Lines that are not true any more are left, and said")
    func changedSince() throws {
        let past = [session(window, [tab(1), tab(2), tab(3)])]
        var old = tab(1)
        old.title = "now"
        let present = [session(window, [old]), session(shelf, [tab(3)])]
        let plan = self.plan(past, present, mode: .replace)
        expect(lines(plan), is: ["add Tab 2", "move-back Tab 3", "change Tab 1", "remove -"])
        var newer = old
        newer.title = "later"
        let since = [
            session(window, [newer, tab(2)]), session(other, [tab(3)]), session(shelf, []),
        ]
        var application = PlanApplication(plan, to: since)
        let changes = application.run()
        expect(application.skipped.map(\.reason), is: [.alreadySo, .changedSince, .changedSince])
        expect(changes.changes, is: [.remove(shelf)])
        // What is gone meanwhile comes back all the same.
        var gone = PlanApplication(plan, to: [session(window, [newer])])
        _ = gone.run()
        expect(gone.done.map(\.title), is: ["Tab 2", "Tab 3"])
        expect(gone.tabsToFill, is: [window: [tab(2).id, tab(3).id]])
        expect(gone.skipped.map(\.reason), is: [.changedSince, .alreadySo])
    }

    @Test("A tab goes to the nearest node above it that is there, else to the top")
    func parents() throws {
        var folder = StructureNode(id: NodeID(high: 9, low: 2), .group, place: .middle)
        folder.style = "folder"
        var inner = group
        inner.parent = folder.id
        let past = [session(window, [tab(1), tab(2, in: inner.id)], [folder, inner])]
        // The inner group is open in another window now.
        var moved = inner
        moved.parent = nil
        let present = [
            session(window, [tab(1)], [folder]), session(other, [tab(3, in: inner.id)], [moved]),
        ]
        let fixture = try StoreFixture()
        _ = try fixture.store.saveBlocking(SessionDifference(from: [], to: present).changes)
        var application = PlanApplication(self.plan(past, present), to: present)
        _ = try fixture.store.saveBlocking(application.run())
        let tabs = try require(try fixture.store.restoreBlocking([window]).first?.tabs)
        expect(tabs.map(\.id), is: [tab(1).id, tab(2).id])
        expect(tabs.map(\.parent), is: [nil, folder.id])
        expect(try fixture.store.restoreBlocking([other]).first?.tabs.map(\.parent) == [inner.id])
    }

    @Test("A plan can be limited to a window, or to words, with what these need")
    func limits() {
        let past = [
            session(window, [tab(1), tab(2, in: group.id)], [group]), session(other, [tab(3)]),
        ]
        let plan = self.plan(past, [])
        expect(plan.lines.count, is: 6)
        expect(lines(plan.limited(to: [other])), is: ["add -", "add Tab 3"])
        let words = plan.limited(toWords: "2 TAB")
        expect(lines(words), is: ["add -", "add Read", "add Tab 2"])
        expect(words.lines, is: plan.lines.filter { [1, 2, 4].contains($0.id) })
        expect(plan.limited(toWords: "").isEmpty && plan.limited(to: []).isEmpty)
        let replacing = self.plan([], past, mode: .replace)
        expect(lines(replacing.limited(to: [other])), is: ["remove -", "remove Tab 3"])
        expect(lines(replacing.limited(toWords: "tab 3")), is: ["remove Tab 3"])
    }

    @Test("Private sessions and a host's notes are in no plan")
    func privacy() {
        let past = [
            session(SessionID(window: window.window, kind: .incognito), [tab(1)]),
            session(SessionID(window: window.window, kind: .launch), [tab(2)]),
        ]
        for mode in RestorePlan.Mode.allCases {
            expect(plan(past, [], mode: mode).lines == [] && plan([], past, mode: mode).lines == [])
        }
    }
}
