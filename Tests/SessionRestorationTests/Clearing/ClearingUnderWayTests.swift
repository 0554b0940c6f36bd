import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// What happens while browsing data is cleared, and what fails then.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ClearingUnderWayTests {
    private let broken = StorageError(.failed, "input/output error")

    /// What the next process finds after this one was killed.
    private func next(_ host: Host) async throws -> Host {
        try await host.killed(boot: "another")
    }

    /// Nothing of it has a tab, nor a title of one.
    private func expectNothing(_ host: Host, file: String = #fileID, line: Int = #line)
        throws
    {
        let tabs = try host.everyTab()
        expect(tabs.isEmpty, file: file, line: line)
        expect(host.windows.windows.allSatisfy { $0.tabs.isEmpty }, file: file, line: line)
        expect(host.restorer.closed.items.isEmpty, file: file, line: line)
        expect(host.restorer.setAside.sessions.isEmpty, file: file, line: line)
        expect(host.restorer.report?.backups.isEmpty, is: true, file: file, line: line)
    }

    // MARK: Tabs in no list

    @Test(arguments: [false, true])
    func aTabOnItsWayGoes(itsWindowIsClosed: Bool) async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let other = try await host.window("c")
        let tab = try window.tabs.detach(window.tab("b"))
        tab.visit("b2")
        if itsWindowIsClosed { try host.windows.close(window) }
        try await host.restorer.history.clear()
        expect(tab.isClosed)
        expect(throws: TabListError.self) { try other.tabs.insert(tab) }
        try await host.restorer.save()
        try expectNothing(try await next(host))
    }

    @Test func aTabOnItsWayStaysIfOnlyClosedOnesGo() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let tab = try window.tabs.detach(window.tab("b"))
        try host.windows.close(window)
        try await host.restorer.history.clear(.closed)
        let other = try await host.window("c")
        try other.tabs.insert(tab)
        try await host.restorer.save()
        expect(try await host.storedTitles(other).sorted() == ["b", "c"])
    }

    @Test func aPrivateTabOnItsWayGoes() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("s", "t", kind: .incognito)
        let tab = try window.tabs.detach(window.tab("t"))
        try await host.restorer.history.clear(.incognito)
        expect(tab.isClosed)
        tab.visit("t2")
        try await host.restorer.save()
        expect(try await host.storage.base.sessions().allSatisfy { $0.partition == .regular })
    }

    // MARK: What comes meanwhile

    @Test func aTabThatIsClosedBeforeTheRemovalIsSavedIsKept() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        try window.tabs.close(window.tab("a"))
        try await host.restorer.save()
        host.storage.fail(.save, with: broken)
        await expect(throws: SessionRestorationError.self) {
            try await host.restorer.history.clear(.closed)
        }
        try window.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        try window.tabs.close(window.tab("new"))
        try await host.restorer.save()
        expect(host.restorer.unsavedTabs.isEmpty && host.restorer.isSaved)
        let next = try await next(host)
        expect(next.restorer.closed.tabs.map(\.title), is: ["new"])
        expect(next.windows.windows.map(\.titles), is: [["b"]])
    }

    @Test func aDiscardedWindowThatIsOpenedAnewIsEmpty() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        _ = try await host.window("c")
        try host.windows.close(window)
        try await host.restorer.save()
        host.storage.fail(.save, with: broken)
        await expect(throws: SessionRestorationError.self) {
            try await host.restorer.savedWindows.discard([window.id])
        }
        let again = try host.windows.open(window.id)
        try again.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        try await host.restorer.save()
        expect(try await host.storedTitles(again) == ["new"])
        expect(host.restorer.isSaved)
        let next = try await next(host)
        expect(next.windows.window(window.id)?.titles, is: ["new"])
    }

    @Test func aWindowThatIsBeingReadStaysCleared() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        _ = try await host.window("c")
        try host.windows.close(window)
        try await host.restorer.save()
        host.storage.hang(.restore)
        let opening = Task { try await host.restorer.savedWindows.open(window.id).titles }
        await host.storage.waitForCalls(of: .restore)
        try await host.restorer.history.clear()
        host.storage.release()
        expect(try await opening.value.isEmpty)
        try await host.restorer.save()
        try expectNothing(try await next(host))
    }

    @Test func aReservedWindowKeepsNoTitle() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        try host.windows.close(window)
        let reservation = try host.windows.ids.reserve(window.id)
        try await host.restorer.history.clear()
        expect(reservation.isPending && reservation.isNew)
        reservation.cancel()
        expect(host.restorer.closed.items.isEmpty && host.windows.ids.reopenable.isEmpty)
    }

    @Test(arguments: [1, 2])
    func aSessionThatIsBeingBroughtBackStaysCleared(read: Int) async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a", "b")
        let host = try await first.killed().killed()
        host.storage.forgetCalls()
        let id = try require(host.restorer.setAside.sessions.first?.id)
        host.storage.hang(.restore, on: .nth(read))
        let bringing = Task { try await host.restorer.setAside.bringBack(id).titles }
        await host.storage.waitForCalls(of: .restore, count: read)
        let clearing = Task { try await host.restorer.history.clear() }
        await host.waitUntilAllHasBegun()
        host.storage.release()
        _ = try? await bringing.value
        _ = try await clearing.value
        try expectNothing(try await next(host))
    }

    @Test func aSessionThatIsDiscardedWhileItIsBroughtBackIsGone() async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a", "b")
        let host = try await first.killed().killed()
        let id = try require(host.restorer.setAside.sessions.first?.id)
        host.storage.forgetCalls()
        host.storage.hang(.save)
        let bringing = Task { try await host.restorer.setAside.bringBack(id).titles }
        await host.storage.waitForHangingCalls()
        let discarding = Task { try await host.restorer.setAside.discard(id) }
        await host.waitUntilAllHasBegun()
        host.storage.release()
        try await discarding.value
        await expect(throws: SessionRestorationError.self) { try await bringing.value }
        try await host.restorer.save()
        expect(host.windows.windows.isEmpty)
        try expectNothing(try await next(host))
    }

    @Test func aWindowThatOpensAndClosesWhileTheStoreIsAskedGoes() async throws {
        let host = try await Host.firstProcess()
        _ = try await host.window("a")
        host.storage.hang(.sessions)
        let clearing = Task { try await host.restorer.history.clear() }
        await host.storage.waitForCalls(of: .sessions)
        let window = try host.windows.open()
        try window.tabs.insert(Tab(url: "https://b.example/", title: "b"))
        try host.windows.close(window)
        host.storage.release()
        _ = try await clearing.value
        try await host.restorer.save()
        expect(host.restorer.closed.items.isEmpty)
        try expectNothing(try await next(host))
    }

    // MARK: Histories

    /// A window of unrealized tabs with two pages each.
    private func unrealized(_ first: Host, _ titles: [[String]]) async throws -> Host {
        for titles in titles {
            let window = try await first.window()
            for title in titles {
                try window.tabs.insert(Tab(url: "https://\(title).example/", title: title))
                try window.tab(title).visit(title + "2")
            }
        }
        try await first.restorer.save()
        return try await first.killed()
    }

    private func pages(_ host: Host) async throws -> [Int] {
        var counts: [Int] = []
        for tab in host.windows.windows.flatMap(\.tabs.tabs) {
            counts.append(try await host.restorer.states.state(of: tab).history.entries.count)
        }
        return counts
    }

    @Test func aTabThatBecomesRealizedMeanwhileForgetsItsHistory() async throws {
        let host = try await unrealized(try await Host.firstProcess(), [["a"]])
        let tab = try require(host.windows.first).tab("a2")
        host.storage.hang(.states)
        let realizing = Task { try await tab.forceRealization() }
        await host.storage.waitForCalls(of: .states)
        try await host.restorer.history.clear(.histories)
        host.storage.release()
        try await realizing.value
        expect(tab.pages?.history.entries.count, is: 1)
        tab.visit("a3")
        try await host.restorer.save()
        expect(try await pages(try await next(host)) == [2])
    }

    @Test func aTabThatMovesMeanwhileForgetsItsHistory() async throws {
        let host = try await unrealized(try await Host.firstProcess(), [["a", "b"], ["c", "d"]])
        let first = try require(host.windows.first)
        let second = try require(host.windows.last)
        host.storage.hang(.states)
        let clearing = Task { try await host.restorer.history.clear(.histories) }
        await host.storage.waitForCalls(of: .states)
        try second.tabs.transfer([second.tabs[1]], to: first.tabs)
        host.storage.release()
        expect(try await clearing.value.histories == 4)
        expect(try await pages(try await next(host)) == [1, 1, 1, 1])
    }

    @Test func aTabOnItsWayForgetsItsHistory() async throws {
        let host = try await unrealized(try await Host.firstProcess(), [["a", "b"]])
        let window = try require(host.windows.first)
        let tab = try window.tabs.detach(window.tab("b2"))
        try await host.restorer.history.clear(.histories)
        try window.tabs.insert(tab)
        try await host.restorer.save()
        expect(try await pages(try await next(host)) == [1, 1])
    }
}
