import BrowserModel
import BrowserSessions
import Expectations
import RestorePlans
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// What is in no open window: a plan puts something into each sort of saved session and into the library, and
/// takes something from it.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct PlanShelvesTests {
    private let folder = TemporaryFolder()

    private func launched(
        opening windows: WindowsToRestore = .allThatWereOpen,
        prepare: (any SessionStorage) async throws -> Void = { _ in }
    ) async throws -> Host {
        try await Host.ofPoints(in: folder, opening: windows, prepare: prepare)
    }

    // MARK: Closed tabs

    /// The group is where its first tab is, and in one place.
    @Test func aClosedGroupComesBackWithOneOfItsTabs() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c", "d")
        let group = StructureNode.group(name: "G", color: .red)
        try window.tabs.create(group, of: [window.tab("b"), window.tab("c")])
        let (outline, then) = (window.tabs.outline, try await host.point())
        try window.tabs.closeAll(in: group)
        try await host.goBack(to: then) { $0.title == "c" }
        expect(window.tabs.outline, is: ["a", "G", "  b", "d"])
        expect(window.tabs.group(group.id)?.color, is: .red)
        expect(host.restorer.closed.tabs.map(\.title), is: ["c"])
        try host.restorer.closed.reopenLast()
        expect(window.tabs.outline == outline && host.restorer.closed.items.isEmpty)
        try await host.end()
    }

    @Test func aClosedGroupKeepsTheNameThatItGotLast() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c")
        var group = StructureNode.group(name: "G", color: .red)
        try window.tabs.create(group, of: [window.tab("b"), window.tab("c")])
        let then = try await host.point()
        try window.tabs.closeAll(in: group)
        let plan = try await host.restorer.history.plan(at: then)
        try host.restorer.closed.reopenLast()
        group.name = "H"
        try window.tabs.update(group)
        try window.tabs.closeAll(in: group)
        expect(try await host.restorer.history.apply(plan).skipped.isEmpty)
        expect(window.tabs.outline, is: ["a", "H", "  b", "  c"])
        try await host.end()
    }

    @Test func whatWasClosedIsClosedAsItWas() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c", "d")
        let group = StructureNode.group(name: "G")
        try window.tabs.create(group, of: [window.tab("b"), window.tab("c")])
        let outline = window.tabs.outline
        try window.tab("c").visit("c2")
        try window.tabs.closeAll(in: group)
        host.clock.advance(by: .seconds(60))
        try window.tabs.close(window.tab("d"))
        let (closed, then) = (host.restorer.closed.items, try await host.point())
        let formerPlaces = host.restorer.closed.tabs.map(\.former)
        try host.restorer.closed.reopenLast()
        try host.restorer.closed.reopenLast()
        try await host.restorer.save()
        host.clock.advance(by: .seconds(60))
        try await host.goBack(to: then, .replace)
        expect(window.titles, is: ["a"])
        let again = host.restorer.closed.items
        expect(again.map(\.id) == closed.map(\.id) && again.map(\.node) == closed.map(\.node))
        expect(host.restorer.closed.tabs.map(\.former), is: formerPlaces)
        try host.restorer.closed.reopenLast()
        try host.restorer.closed.reopenLast()
        expect(window.tabs.outline.map { $0 == "  c2" ? "  c" : $0 }, is: outline)
        expect(try await window.tab("c2").visited() == ["c", "c2"])
        try await host.end()
    }

    @Test func closedTabsThatWereForgottenAreAmongThemAgain() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        try window.tab("b").visit("b2")
        try window.tabs.close(window.tab("b2"))
        let (closed, then) = (host.restorer.closed.items, try await host.point())
        try host.restorer.closed.forgetAll()
        try await host.restorer.save()
        try await host.goBack(to: then, .merge)
        expect(host.restorer.closed.items, is: closed)
        let tab = try require(try host.restorer.closed.reopenLast().first)
        expect(try await tab.visited() == ["b", "b2"])
        try await host.end()
    }

    @Test func whatIsDisplacedIsOneClosing() async throws {
        let host = try await launched()
        let (one, other) = (try await host.window("a"), try await host.window("b"))
        let then = try await host.point()
        for window in [one, other] {
            try window.tabs.insert(Tab(url: "https://n.example/", title: "n"))
        }
        try await host.goBack(to: then, .replace)
        expect(host.restorer.closed.items.map(\.tabs), is: [2])
        expect(try host.restorer.closed.reopenLast().count == 2)
        expect(one.titles == ["a", "n"] && other.titles == ["b", "n"])
        try await host.end()
    }

    /// An import has closed tabs in a session of its own.
    @Test func aTabComesBackFromImportedClosedOnes() async throws {
        let first = try await launched()
        let window = try await first.window("a", "b")
        let then = try await first.point()
        // It is known how long it has been closed.
        try window.tabs.close(window.tabs[1])
        try await first.restorer.save()
        let shelf = try require(try await first.stored(ClosedTabRecords.session))
        try await first.end()
        let imported = SessionID(window: .random(), kind: .recentlyClosed)
        let host = try await launched { store in
            var changes = SessionChanges()
            changes.put(SessionAttributes(), for: imported)
            for tab in shelf.tabs { changes.put(tab, in: imported) }
            _ = try await store.save(changes)
        }
        expect(try await host.stored(imported)?.tabs.count == 1)
        expect(host.restorer.closed.tabs.map(\.title), is: ["b"])
        let result = try await host.goBack(to: then, .merge)
        expect(host.windows.window(window.id)?.titles == ["a", "b"] && result.skipped.isEmpty)
        expect(host.restorer.closed.tabs.isEmpty)
        try await host.end()
    }

    // MARK: Closed windows

    @Test func aWindowThatWasReopenedIsClosedAgain() async throws {
        let host = try await launched()
        _ = try await host.window("s")
        let window = try await host.window("a", "b")
        try host.windows.close(window)
        let then = try await host.point()
        let again = try await host.restorer.savedWindows.open(window.id)
        try again.tab("a").visit("a2")
        try again.tabs.insert(Tab(url: "https://n.example/", title: "n"))
        host.clock.advance(by: .seconds(60))
        try await host.goBack(to: then, .replace)
        expect(host.windows.map(\.titles), is: [["s"]])
        expect(host.restorer.closed.windows.map(\.id), is: [window.id])
        expect(host.restorer.closed.tabs.map(\.title), is: ["n"])
        let stored = try require(try await host.stored(window.sessionID))
        expect(stored.tabs.map(\.title) == ["a", "b"] && stored.attributes.closedAt != nil)
        // Its age as a closed window begins again.
        expect(stored.attributes.closedAt, is: host.clock.timestamp)
        let last = try await host.restorer.savedWindows.open(window.id)
        expect(try await last.tab("a").visited() == ["a"])
        try await host.end()
    }

    @Test(arguments: RestorePlan.Mode.allCases)
    func aClosedWindowThatWasDiscardedIsAmongThemAgain(mode: RestorePlan.Mode) async throws {
        let host = try await launched()
        _ = try await host.window("s")
        let window = try await host.window("a", "b")
        let folder = StructureNode.folder(name: "F")
        try window.tabs.create(folder, of: [window.tab("b")])
        try window.tab("b").visit("b2")
        window.title = "errands"
        let outline = window.tabs.outline
        try host.windows.close(window)
        let then = try await host.point()
        try await host.restorer.savedWindows.discard([window.id])
        try await host.goBack(to: then, mode)
        expect(host.windows.map(\.titles), is: [["s"]])
        let closed = try require(host.restorer.closed.windows.first)
        expect(closed.id == window.id && closed.title == "errands" && closed.tabs == 2)
        let again = try await host.restorer.savedWindows.open(window.id)
        expect(again.tabs.outline, is: outline)
        expect(try await again.tab("b2").visited() == ["b", "b2"])
        try await host.end()
    }

    /// The menu of closed windows says what is left in them.
    @Test(arguments: [["x"], []])
    func aTabComesBackFromAClosedWindow(others: [String]) async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        let other = try await host.window("x")
        let then = try await host.point()
        try window.tabs.transfer([window.tab("b")], to: other.tabs)
        if others.isEmpty { try other.tabs.close(other.tabs[0], reason: .cleanup) }
        try host.windows.close(other)
        let last = try await host.window("l")
        try host.windows.close(last)
        try await host.goBack(to: then) { $0.title != "b" }
        expect(window.titles, is: ["a", "b"])
        let closed = host.restorer.closed.windows
        expect(closed.map(\.id), is: (others.isEmpty ? [last.id] : [last.id, other.id]))
        expect(closed.allSatisfy { $0.tabs == 1 })
        expect(try await host.restorer.savedWindows.open(other.id).titles == others)
        try await host.end()
    }

    @Test func aClosedWindowThatOnlyHasInactiveTabsIsOffered() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        let other = try await host.window("x", "y")
        for tab in other.tabs.tabs { tab.wasShown(at: host.clock.timestamp) }
        let then = try await host.point()
        host.clock.advance(by: .seconds(22 * 24 * 60 * 60))
        expect(try host.restorer.inactive.moveUnused(of: other) == 1)
        try other.tabs.close(other.tabs[0], reason: .cleanup)
        try window.tabs.transfer([window.tab("b")], to: other.tabs)
        try host.windows.close(other)
        try await host.goBack(to: then) { $0.title != "b" }
        expect(window.titles, is: ["a", "b"])
        expect(host.restorer.closed.windows.map(\.hiddenTabs), is: [1])
        try await host.end()
    }

    // MARK: Windows that the host has not opened

    @Test(arguments: RestorePlan.Mode.allCases)
    func aWindowThatIsNotOpenedYetStaysSo(mode: RestorePlan.Mode) async throws {
        let first = try await launched()
        let window = try await first.window("a", "b", "c")
        let folder = StructureNode.folder(name: "F")
        try window.tabs.create(folder, of: [window.tab("b")])
        try window.tab("b").visit("b2")
        window.title = "errands"
        let other = try await first.window("x")
        other.title = "errands"
        let (outline, then) = (window.tabs.outline, try await first.point())
        other.title = "another name"
        try window.tabs.closeAll(in: folder, reason: .cleanup)
        window.title = "another name"
        try window.tabs.insert(Tab(url: "https://n.example/", title: "n"))
        try await first.end()

        let host = try await launched(opening: .none)
        let result = try await host.goBack(to: then, mode)
        expect(host.windows.isEmpty && host.restorer.closed.items.isEmpty)
        // What is out of sight stays.
        let lines = result.skipped.filter { $0.line.action == .remove }
        expect(lines.map(\.line.title), is: (mode == .replace ? ["n"] : []))
        let again = try await host.restorer.savedWindows.open(window.id)
        expect(again.tabs.outline, is: outline + ["n"])
        let title = mode == .replace ? "errands" : "another name"
        expect(again.title, is: title)
        expect(try await host.restorer.savedWindows.open(other.id).title == title)
        expect(try await again.tab("b2").visited() == ["b", "b2"])
        try await host.end()
    }

    // MARK: What was set aside

    /// Another process finds the tabs of a window to be set aside.
    private func setAside(_ window: Window) async throws -> (Host, SessionID) {
        let id = SessionID(window: .random(), kind: .setAside)
        let session = window.sessionID
        let host = try await launched { store in
            let stored = try require(try await store.restore(session))
            var changes = SessionChanges()
            changes.put(stored.attributes.setAside(from: session, .crashLoop, at: .now()), for: id)
            for tab in stored.tabs { changes.put(tab, in: id) }
            changes.remove(session)
            _ = try await store.save(changes)
        }
        expect(host.restorer.setAside.sessions.map(\.id) == [id] && host.windows.isEmpty)
        return (host, id)
    }

    @Test(arguments: [1, 2])
    func tabsComeBackFromTheShelf(count: Int) async throws {
        let first = try await launched()
        let window = try await first.window("a", "b")
        let then = try await first.point()
        try await first.end()
        let (host, id) = try await setAside(window)
        try await host.goBack(to: then) { $0.title == "b" && count == 1 }
        let titles = Array(["a", "b"].prefix(count))
        expect(host.windows.map(\.titles), is: [titles])
        expect(host.restorer.setAside.sessions.map(\.tabs), is: (count == 2 ? [] : [1]))
        expect(try await host.stored(id)?.tabs.count == (count == 2 ? nil : 1))
        try await host.end()
    }

    @Test(arguments: [true, false])
    func tabsAreSetAsideAgain(wereBroughtBack: Bool) async throws {
        let first = try await launched()
        let window = try await first.window("a", "b")
        try window.tab("b").visit("b2")
        try await first.end()
        let (host, id) = try await setAside(window)
        _ = try await host.window("s")
        let (sessions, then) = (host.restorer.setAside.sessions, try await host.point())
        if wereBroughtBack {
            try await host.restorer.setAside.bringBack(id)
        } else {
            try await host.restorer.setAside.discard(id)
        }
        try await host.goBack(to: then, .replace)
        expect(host.windows.map(\.titles), is: [["s"]])
        expect(host.restorer.setAside.sessions, is: sessions)
        expect(host.restorer.closed.items.isEmpty)
        let again = try await host.restorer.setAside.bringBack(id)
        expect(again.titles, is: ["a", "b2"])
        expect(try await again.tab("b2").visited() == ["b", "b2"])
        try await host.end()
    }

    // MARK: The library

    private static let library = SessionID(window: .profileWide, kind: .library)

    private func space(_ name: String, _ titles: [String], in library: TabList) throws {
        let space = StructureNode(.space, place: .middle, name: name)
        try library.create(space, at: .top())
        for title in titles {
            try library.insert(
                Tab(url: "https://\(title).example/", title: title),
                as: TabInsertion(.inside(space.id)))
        }
    }

    /// Nobody asked for the library of this process before.
    @Test(arguments: [[], ["a", "b"]])
    func spacesComeBackToALibraryThatWasNotOpen(titles: [String]) async throws {
        let first = try await launched()
        _ = try await first.window("w")
        let library = first.windows.library
        try space("Home", titles, in: library)
        let (outline, then) = (library.outline, try await first.point())
        try await first.end()
        let host = try await launched { store in
            var changes = SessionChanges()
            changes.remove(Self.library)
            _ = try await store.save(changes)
        }
        try await host.goBack(to: then, .merge)
        expect(host.windows.library.outline, is: outline)
        expect(host.windows.library.activeTab == nil)
        try space("Work", ["c"], in: host.windows.library)
        try await host.restorer.save()
        try await host.expectSaved()
        expect(host.windows.library.outline, is: outline + ["Work", "  c"])
        try await host.end()
    }

    @Test func spacesThatCameSinceGo() async throws {
        let host = try await launched()
        let window = try await host.window("v", "w")
        let (own, then) = (try window.tab("v"), try await host.point())
        let library = host.windows.library
        try space("Home", ["a", "b"], in: library)
        try window.tabs.transfer([own], to: library)
        try space("Work", [], in: library)
        try window.show(library.nodes[0].id)
        let outline = library.outline
        try await host.restorer.save()
        let result = try await host.goBack(to: then, .replace)
        expect(library.isEmpty && library.nodes.isEmpty && window.space == nil)
        expect(window.titles == ["v", "w"] && window.tabs[0] === own && !own.isClosed)
        expect(host.restorer.closed.tabs.count, is: 2)
        expect(try await host.stored(Self.library)?.nodes ?? [] == [])

        let undo = try require(result.restorePoint)
        try await host.goBack(to: undo.id, .replace)
        expect(library.outline == outline && outline.count == 5)
        expect(window.space?.name == "Home" && host.restorer.closed.items.isEmpty)
        try await host.end()
    }
}
