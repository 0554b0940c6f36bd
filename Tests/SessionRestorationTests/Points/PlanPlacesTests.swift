import BrowserModel
import BrowserSessions
import Expectations
import RestorePlans
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// What is open: a plan puts something into each sort of list, and takes something from it.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct PlanPlacesTests {
    private let folder = TemporaryFolder()
    private static let day = Duration.seconds(24 * 60 * 60)

    private func launched() async throws -> Host { try await Host.ofPoints(in: folder) }

    // MARK: Windows

    /// Each of the windows has what the other one had, whichever of them comes first.
    @Test func nodesComeBackFromOtherWindows() async throws {
        let host = try await launched()
        let (one, other) = (try await host.window("a", "b", "c"), try await host.window("x", "y"))
        let folders = (StructureNode.folder(name: "F"), StructureNode.folder(name: "G"))
        let split = try one.tabs.split([one.tab("b"), one.tab("c")], axis: .column)
        try one.tabs.create(folders.0, of: [split])
        try other.tabs.create(folders.1, of: [other.tab("y")])
        // Nothing takes these along.
        let empty = (StructureNode.folder(name: "E"), StructureNode.folder(name: "H"))
        try one.tabs.create(empty.0, at: .top())
        try other.tabs.create(empty.1, at: .top())
        let outlines = (one.tabs.outline, other.tabs.outline)
        let then = try await host.point()
        try one.tabs.transfer([empty.0], to: other.tabs, at: .top())
        try other.tabs.transfer([empty.1], to: one.tabs, at: .top())
        try one.tabs.transfer([folders.0], to: other.tabs, at: .top())
        try other.tabs.transfer([folders.1], to: one.tabs, at: .top())
        try await host.goBack(to: then, .replace)
        expect(one.tabs.outline == outlines.0 && other.tabs.outline == outlines.1)
        expect(one.tabs.node(split.id)?.axis == .column && host.restorer.closed.items.isEmpty)
        try await host.end()
    }

    @Test func nodesHaveTheNamesThatTheyHad() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c")
        let other = try await host.window("x")
        var group = StructureNode.group(name: "G", color: .red)
        try window.tabs.create(group, of: [window.tab("b")])
        let (outline, then) = (window.tabs.outline, try await host.point())
        group.name = "another name"
        try window.tabs.update(group)
        try window.tabs.create(StructureNode.folder(name: "since"), of: [window.tab("c")])
        try window.tabs.create(StructureNode.folder(name: "empty"), at: .top())
        try other.tabs.create(StructureNode.folder(name: "empty"), at: .top())
        try await host.goBack(to: then, .replace)
        expect(window.tabs.outline == outline && window.tabs.nodes.count == 1)
        expect(other.tabs.outline, is: ["x"])
        try await host.end()
    }

    @Test func aWindowHasTheHostsPropertiesThatItHad() async throws {
        let host = try await launched()
        let window = try await host.window("a")
        window.setProperty("frame", to: "left")
        window.setProperty("zoom", to: "2")
        let then = try await host.point()
        window.setProperty("frame", to: "right")
        window.setProperty("zoom", to: nil)
        window.setProperty("color", to: "red")
        window.setProperty("browser-sessions.own", to: "now")
        try await host.goBack(to: then, .replace)
        expect(window.attributes.properties["frame"], is: "left")
        expect(window.attributes.properties["zoom"], is: "2")
        expect(window.attributes.properties["color"] == nil)
        expect(window.attributes.properties["browser-sessions.own"], is: "now")
        try await host.end()
    }

    @Test(arguments: [true, false])
    func theTabThatWasShownIsShown(itIsGone: Bool) async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c")
        try window.tabs.activate(window.tab("b"))
        try window.tab("b").visit("b2")
        let then = try await host.point()
        try window.tabs.activate(window.tab("c"))
        try window.tab("c").visit("c2")
        if itIsGone { try window.tabs.close([window.tab("b2")], reason: .cleanup) }
        try await host.goBack(to: then, .replace)
        await host.waitUntilIdle()
        let shown = try require(window.tabs.activeTab)
        expect(shown.title == "b2" && shown.isRealized)
        expect(shown.pages?.history.entries.map(\.title), is: ["b", "b2"])
        try await host.end()
    }

    @Test func aTabThatIsShownShowsItsEarlierPage() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        let then = try await host.point()
        try window.tab("a").visit("a2")
        let shown = try window.tab("b")
        shown.visit("b2")
        try await host.goBack(to: then, .replace)
        await host.waitUntilIdle()
        expect(window.titles == ["a", "b"] && window.tabs.activeTab === shown)
        expect(shown.isRealized && !window.tabs[0].isRealized)
        expect(shown.pages?.history.entries.map(\.title), is: ["b"])
        expect(try await window.tabs[0].visited() == ["a"])
        try await host.end()
    }

    /// What comes back to a list does not change what is shown there.
    @Test func whatIsShownStaysIfNothingIsReplaced() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        let then = try await host.point()
        try window.tabs.close(window.tabs[1], reason: .cleanup)
        try await host.goBack(to: then, .merge)
        expect(window.titles == ["a", "b"] && window.tabs.activeTab?.title == "a")
        try await host.end()
    }

    @Test func aWindowThatWasEmptiedShowsTheTabUsedLast() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c")
        host.clock.advance(by: .seconds(60))
        try window.tabs.activate(window.tab("b"))
        let then = try await host.point()
        window.tabs.closeAll(reason: .cleanup)
        try await host.goBack(to: then, .merge)
        await host.waitUntilIdle()
        expect(window.titles == ["a", "b", "c"] && window.tabs.activeTab?.title == "b")
        expect(window.tabs.activeTab?.isRealized, is: true)
        try await host.end()
    }

    // MARK: Inactive tabs

    /// A window with old tabs that are out of sight.
    private func windowWithInactive(_ host: Host) async throws -> Window {
        let window = try await host.window("p", "a", "b", "z")
        try window.tabs.pin(window.tabs[0])
        for tab in window.tabs.tabs { tab.wasShown(at: host.clock.timestamp) }
        try window.tab("b").visit("b2")
        try await host.restorer.save()
        host.clock.advance(by: Self.day * 22)
        expect(try host.restorer.inactive.moveUnused() == 2)
        try await host.restorer.save()
        return window
    }

    private func inactive(_ window: Window, of host: Host) -> Window? {
        host.windows.window(window.id, kind: .inactive)
    }

    @Test(arguments: [true, false])
    func inactiveTabsComeBackOutOfSight(theirListIsClosed: Bool) async throws {
        let host = try await launched()
        let window = try await windowWithInactive(host)
        let then = try await host.point()
        let hidden = try require(inactive(window, of: host))
        try hidden.tabs.close([hidden.tabs[0], hidden.tabs[1]], reason: .cleanup)
        if theirListIsClosed { try host.windows.close(hidden) }
        try await host.restorer.save()
        let result = try await host.goBack(to: then, .merge)
        let again = try require(inactive(window, of: host))
        expect(again.titles == ["a", "b2"] && window.titles == ["p", "z"])
        expect(result.done.tabs.added == 2 && again.tabs.allSatisfy { !$0.isRealized })
        expect(try await again.tab("b2").visited() == ["b", "b2"])
        try await host.end()
    }

    @Test func inactiveTabsAreInTheirWindowAgain() async throws {
        let host = try await launched()
        let window = try await host.window("p", "a", "z")
        for tab in window.tabs.tabs { tab.wasShown(at: host.clock.timestamp) }
        let then = try await host.point()
        host.clock.advance(by: Self.day * 22)
        expect(try host.restorer.inactive.moveUnused() == 2)
        try await host.goBack(to: then, .replace)
        expect(window.titles, is: ["p", "a", "z"])
        expect(inactive(window, of: host) == nil)
        expect(try await host.stored(SessionID(window: window.id, kind: .inactive)) == nil)
        try await host.end()
    }

    @Test(arguments: [true, false])
    func aWindowThatIsBackHasItsInactiveTabs(itWasDiscarded: Bool) async throws {
        let host = try await launched()
        _ = try await host.window("s")
        let window = try await windowWithInactive(host)
        let then = try await host.point()
        try host.windows.close(window)
        if itWasDiscarded { try await host.restorer.savedWindows.discard([window.id]) }
        try await host.goBack(to: then, .merge)
        let again = try require(host.windows.window(window.id))
        expect(again.titles == ["p", "z"] && inactive(again, of: host)?.titles == ["a", "b2"])
        expect(host.restorer.closed.windows.isEmpty)
        expect(again.attributes.createdAt, is: window.attributes.createdAt)
        expect(again.tabs.activeTab?.isRealized, is: true)
        try await host.end()
    }

    /// The user strikes out the line of the list of inactive tabs: it belongs to the window nevertheless.
    @Test func aWindowThatIsOpenAgainTakesItsInactiveTabsAlong() async throws {
        let host = try await launched()
        _ = try await host.window("s")
        try host.windows.close(await windowWithInactive(host))
        let window = try await windowWithInactive(host)
        let then = try await host.point()
        try host.windows.close(window)
        var plan = try await host.restorer.history.plan(at: then)
        plan.strike(plan.lines.filter { $0.session.kind == .inactive }.map(\.id))
        try await host.restorer.history.apply(plan)
        // Nothing else realizes it.
        let again = try require(host.windows.window(window.id))
        expect(again.tabs.activeTab?.isRealized, is: true)
        expect(inactive(again, of: host)?.titles, is: ["a", "b2"])
        expect(host.windows.windows(of: .inactive).count, is: 1)
        try await host.endSaved()
    }

    // MARK: All tabs of a window, closed at once

    @Test(arguments: RestorePlan.Mode.allCases)
    func whatWasClosedAtOnceIsBack(mode: RestorePlan.Mode) async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        let then = try await host.point()
        try host.restorer.closeAll(in: window)
        try await host.restorer.save()
        try await host.goBack(to: then, mode)
        expect(window.titles == ["a", "b"] && host.restorer.closed.items.isEmpty)
        expect(host.windows.window(window.id, kind: .backup) == nil)
        expect(try await host.stored(SessionID(window: window.id, kind: .backup)) == nil)
        expect(throws: SessionRestorationError.self) { try host.restorer.closeAll.undo(in: window) }
        try await host.end()
    }

    @Test func whatWasClosedAtOnceIsSoAgain() async throws {
        let host = try await launched()
        let window = try await host.window("p", "a", "b")
        try window.tabs.pin(window.tabs[0])
        let opener = TabOpener(tab: window.tabs[0].id, navigationIndex: 4)
        try window.tabs.setOpener(opener, of: window.tabs[1])
        try host.restorer.closeAll(in: window, keepingPinned: true)
        let then = try await host.point()
        try host.restorer.closeAll.undo(in: window)
        try await host.restorer.save()
        try await host.goBack(to: then, .replace)
        expect(window.titles, is: ["p"])
        try host.restorer.closeAll.undo(in: window)
        expect(window.titles == ["p", "a", "b"] && window.tabs.activeTab?.title == "b")
        expect(try window.tab("a").metadata.opener == opener)
        try await host.end()
    }
}
