import BrowserModel
import BrowserSessions
import Expectations
import RestorePlans
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// Restore points and plans of a browser that runs.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct PlanTests {
    private let folder = TemporaryFolder()

    private func launched() async throws -> Host { try await Host.ofPoints(in: folder) }

    @Test func aPointHasWhatWasPendingAndStaysUntilItIsReleased() async throws {
        let host = try await launched()
        let window = try await host.window("a")
        try window.addUnsaved("b", then: "b2")
        let saved = host.restorer.history
        let point = try await saved.takeRestorePoint(name: "mine", pinned: true)
        expect(point.name == "mine" && point.tabCount == 2 && host.restorer.isSaved)
        let other = try await saved.takeRestorePoint(name: "also mine")
        // The number of the next set is not what the restorer knows.
        try window.addUnsaved("c", then: "c2")
        try await host.restorer.save()
        expect(host.restorer.health.name, is: "healthy")
        expect(try await saved.restorePoints().prefix(2).map(\.name) == ["also mine", "mine"])
        expect(try await saved.restorePoint(at: other.takenAt)?.id == other.id)
        expect(try await saved.restorePoint(at: .unknown) == nil)
        try await saved.releaseRestorePoint(other.id)
        expect(try await saved.restorePoints().map(\.name).contains("mine"))
        expect(try await !saved.restorePoints().map(\.name).contains("also mine"))
        await expect(throws: SessionRestorationError.self) { try await saved.plan(at: other.id) }
        try await host.end()
    }

    @Test func tabsComeBackAmongThoseThatStayed() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c", "d")
        let group = StructureNode.group(name: "G")
        try window.tabs.create(group, of: [window.tab("b"), window.tab("c")])
        try window.tab("c").visit("c2")
        let then = try await host.point()
        try window.tabs.close([window.tabs[1], window.tabs[3]], reason: .cleanup)
        try window.tabs.close(window.tabs[1], reason: .user)
        try window.tabs.insert(Tab(url: "https://new.example/", title: "new"), as: .active)
        let plan = try await host.restorer.history.plan(at: then)
        // Opened after the plan was made.
        try window.tabs.insert(Tab(url: "https://later.example/", title: "later"))
        let result = try await host.restorer.history.apply(plan)
        expect(window.tabs.outline, is: ["a", "G", "  b", "  c2", "new", "later", "d"])
        expect(result.done.tabs.added == 2 && result.done.tabs.movedBack == 1)
        expect(host.restorer.closed.tabs.isEmpty && window.tabs.activeTab?.title == "new")
        expect(try await window.tab("c2").visited() == ["c", "c2"])
        try await host.endSaved()
    }

    @Test func aLineThatIsStruckOutIsNotDone() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c")
        let then = try await host.point()
        try window.tabs.close([window.tabs[0], window.tabs[1]])
        var plan = try await host.restorer.history.plan(at: then)
        let line = try require(plan.lines.first { $0.title == "b" })
        plan.strike(line.id)
        try await host.restorer.history.apply(plan)
        expect(window.titles, is: ["a", "c"])
        expect(host.restorer.closed.tabs.map(\.title), is: ["b"])
        try await host.expectSaved()
        // Nothing is left to do.
        host.storage.forgetCalls()
        let again = try await host.restorer.history.apply(plan)
        expect(again.restorePoint == nil && again.done.tabs.total == 0)
        expect(host.storage.calls(of: .takeRestorePoint).isEmpty)
        try await host.end()
    }

    @Test func windowsThatWereClosedOrDiscardedAreOpenedAgain() async throws {
        let host = try await launched()
        let stays = try await host.window("s")
        let closed = try await host.window("a", "b")
        let gone = try await host.window("c", "d")
        gone.title = "errands"
        let then = try await host.point()
        try host.windows.close(closed)
        try host.windows.close(gone)
        try await host.restorer.savedWindows.discard([gone.id])
        try await host.goBack(to: then)
        expect(host.windows.window(closed.id)?.titles, is: ["a", "b"])
        let back = try require(host.windows.window(gone.id))
        expect(back.titles == ["c", "d"] && back.title == "errands")
        await host.waitUntilIdle()
        expect(back.tabs.activeTab?.title == "d" && back.tabs.activeTab?.isRealized == true)
        expect(host.restorer.closed.windows.isEmpty && stays.titles == ["s"])
        try await host.end()
        let next = try await launched()
        expect(Set(next.windows.map(\.titles)), is: [["s"], ["a", "b"], ["c", "d"]])
        try await next.end()
    }

    @Test func replacingMakesItAsItWasAndClosesTheRest() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c")
        let other = try await host.window("x")
        let folder = StructureNode.folder(name: "F")
        try window.tabs.create(folder, of: [window.tab("b")])
        let outline = window.tabs.outline
        let then = try await host.point()
        // Everything is elsewhere by now.
        let list = window.tabs
        try list.dissolve(folder.id)
        try list.move(list.tabs[2], to: .top(.normal, .first))
        try list.transfer([window.tab("a")], to: other.tabs)
        try window.tab("b").visit("b2")
        try list.activate(window.tab("b2"))
        let since = try await host.window("new", "newer")
        try list.insert(Tab(url: "https://n.example/", title: "n"))
        window.title = "another name"
        let result = try await host.goBack(to: then, .replace)
        expect(window.tabs.outline == outline && window.title.isEmpty && other.titles == ["x"])
        expect(host.restorer.closed.tabs.map(\.title), is: ["n"])
        expect(host.restorer.closed.windows.map(\.id), is: [since.id])
        expect(try await window.tab("b").visited() == ["b"])

        try await host.goBack(to: require(result.restorePoint).id, .replace)
        expect(window.titles == ["c", "b2", "n"] && window.title == "another name")
        expect(other.titles, is: ["x", "a"])
        expect(host.windows.window(since.id)?.titles, is: ["new", "newer"])
        expect(try await window.tab("b2").visited() == ["b", "b2"])
        try await host.endSaved()
    }

    @Test func privateTabsAreNotTouched() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        let secret = try await host.window("s", kind: .incognito)
        let then = try await host.point()
        try window.tabs.close(window.tabs[0])
        try secret.tabs.insert(Tab(url: "https://t.example/", title: "t"))
        for mode in RestorePlan.Mode.allCases {
            let plan = try await host.restorer.history.plan(at: then, mode: mode)
            expect(plan.lines.allSatisfy { $0.session.partition == .regular })
            try await host.restorer.history.apply(plan)
            expect(window.titles == ["a", "b"] && secret.titles == ["s", "t"])
        }
        try await host.end()
    }

    /// While the store is asked, the user goes on.
    @Test func whatHappensMeanwhileCounts() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b", "c")
        let other = try await host.window("x", "y")
        let then = try await host.point()
        try window.tabs.close([window.tabs[0], window.tabs[1]])
        try host.windows.close(other)
        let plan = try await host.restorer.history.plan(at: then)
        host.storage.forgetCalls()
        host.storage.hang(.restore, on: .nth(2))
        let saved = host.restorer.history
        let applying = Task { try await saved.apply(plan).done.tabs.total }
        await host.storage.waitForHangingCalls()
        try host.restorer.closed.reopen(require(host.restorer.closed.tabs.first).id)
        let opened = try host.windows.open()
        try opened.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        let detached = try window.tabs.detach(window.tab("c"))
        host.storage.release()
        expect(try await applying.value > 0)
        expect(window.titles == ["a", "b"] && opened.titles == ["new"])
        expect(host.windows.window(other.id)?.titles, is: ["x", "y"])
        try opened.tabs.insert(detached)
        try await host.endSaved()
    }

    @Test func aPlanOfAnotherStoreIsRefusedAndNothingChanges() async throws {
        let host = try await launched()
        let window = try await host.window("a", "b")
        let then = try await host.point()
        try window.tabs.close(window.tabs[0])
        let plan = try await host.restorer.history.plan(at: then)
        let bytes = plan.encoded()
        let other = try await Host.launched()
        _ = try await other.window("z")
        await #expect {
            try await other.restorer.history.apply(RestorePlan(encoded: bytes))
        } throws: {
            if case .storage(let error)? = $0 as? SessionRestorationError {
                error.code == .conflict
            } else {
                false
            }
        }
        expect(other.windows.windows.map(\.titles), is: [["z"]])
        expect(
            try await host.restorer.history.apply(RestorePlan(encoded: bytes)).done.tabs
                .movedBack == 1)
        expect(window.titles, is: ["a", "b"])
        try await host.end()
    }

    @Test func tabsAreFoundWhereverTheyAre() async throws {
        let host = try await launched()
        let window = try await host.window("swift forum", "b", "swift news")
        _ = try await host.point()
        try window.tabs.close(window.tabs[0], reason: .user)
        try window.tabs.close(window.tabs[1], reason: .cleanup)
        try window.addUnsaved("x", then: "swift blog")
        _ = try await host.window("swift secret", kind: .incognito)
        let found = try await host.restorer.history.find("SWIFT")
        expect(found.map(\.tab.title), is: ["swift blog", "swift forum", "swift news"])
        expect(found.map(\.place), is: [.open, .closed, .gone])
        expect(try await host.restorer.history.find("swift", includingEarlier: false).count == 2)
        try await host.end()
    }

    @Test func withoutARunningRestorerNothingIsDone() async throws {
        let host = try await launched()
        _ = try await host.window("a")
        let then = try await host.point()
        let plan = try await host.restorer.history.plan(at: then)
        try await host.end()
        let saved = host.restorer.history
        for call in [
            { try await saved.apply(plan) }, { try await saved.plan(at: then) },
            { try await saved.takeRestorePoint() }, { try await saved.releaseRestorePoint(then) },
            { try await saved.restorePoints() }, { try await host.restorer.history.find("a") },
        ] as [() async throws -> Any] {
            await #expect { _ = try await call() } throws: {
                if case .closed? = $0 as? SessionRestorationError { true } else { false }
            }
        }
    }
}
