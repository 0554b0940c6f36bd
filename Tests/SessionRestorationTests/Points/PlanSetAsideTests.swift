import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// What was set aside: a plan puts tabs into it, and takes them from it.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct PlanSetAsideTests {
    private let folder = TemporaryFolder()

    private func launched(
        prepare: (any SessionStorage) async throws -> Void = { _ in }
    ) async throws -> Host {
        try await Host.ofPoints(in: folder, prepare: prepare)
    }

    /// Another process finds the tabs of a window to be set aside.
    private func setAside(_ window: Window) async throws -> (Host, SessionID) {
        let id = SessionID(window: .random(), kind: .setAside)
        let session = window.sessionID
        let host = try await launched { store in
            let stored = try #require(try await store.restore(session))
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
        var plan = try await host.restorer.savedWindows.plan(at: then)
        let struck = plan.lines.filter { $0.title == "b" }.prefix(2 - count)
        plan.strike(struck.map(\.id))
        try await host.restorer.savedWindows.apply(plan)
        try await host.restorer.save()
        try await host.expectSaved()
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
}
