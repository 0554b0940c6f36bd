import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// Opening is all or nothing, and nothing that was saved is dropped without a word.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct OpeningTests {
    private let damaged = StorageError(.corrupted, "the record is damaged", operation: "restore")

    /// A closed window with an inactive tab, and the host that may open it again.
    private func closedWindow() async throws -> (Host, WindowID) {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let inactive = try host.windows.open(window.id, kind: .inactive)
        try inactive.tabs.insert(Tab(url: "https://old.example/", title: "old"))
        try host.windows.close(window)
        try await host.restorer.save()
        return (host, window.id)
    }

    @Test(arguments: [1, 2])
    func aWindowOfWhichAPartCannotBeReadIsNotOpened(number: Int) async throws {
        let (host, id) = try await closedWindow()
        let reservation = host.windows.ids.reserve()
        expect(reservation.id, is: id)
        host.storage.fail(.restore, with: damaged, on: .nth(number))
        await expect(throws: SessionRestorationError.self) {
            _ = try await host.restorer.savedWindows.open(reservation)
        }
        expect(host.windows.windows.isEmpty)
        expect(reservation.isPending)
        let window = try await host.restorer.savedWindows.open(reservation)
        expect(window.titles, is: ["a", "b"])
        expect(host.windows.window(id, kind: .inactive)?.titles, is: ["old"])
    }

    @Test func whatWasSetAsideComesBackWholeOrNotAtAll() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let inactive = try host.windows.open(window.id, kind: .inactive)
        try inactive.tabs.insert(Tab(url: "https://old.example/", title: "old"))
        try await host.restorer.save()
        let crashed = try await host.killed()
        let next = try await crashed.killed()
        let aside = try require(next.restorer.setAside.sessions.first)
        next.storage.fail(.restore, with: damaged, on: .nth(3))
        await expect(throws: SessionRestorationError.self) {
            _ = try await next.restorer.setAside.bringBack(aside.id)
        }
        expect(next.windows.windows.isEmpty)
        expect(next.restorer.setAside.sessions.map(\.id), is: [aside.id])
        let back = try await next.restorer.setAside.bringBack(aside.id)
        expect(back.titles, is: ["a", "b"])
        expect(next.windows.window(back.id, kind: .inactive)?.titles, is: ["old"])
    }

    /// A host with a window "a" in its store, which does not say what it has.
    private func restoringWithoutAnAnswer() async throws
        -> (Host, Task<RestorationReport, any Error>)
    {
        let host = try await Host.firstProcess()
        _ = try await host.window("a")
        let next = try host.nextProcess()
        next.storage.hang(.sessions)
        let restoring = Task { try await next.restorer.restore() }
        await next.storage.waitForHangingCalls()
        return (next, restoring)
    }

    @Test func closingWhileRestoringEndsClosed() async throws {
        let (next, restoring) = try await restoringWithoutAnAnswer()
        next.storage.hang(.save)
        let closing = Task { try await next.restorer.close() }
        await next.storage.waitForHangingCalls(2)
        // The note of the end takes longer than the rest of restoring.
        next.storage.release(.sessions)
        await expect(throws: SessionRestorationError.self) { try await restoring.value }
        next.storage.release()
        try await closing.value
        expect(next.windows.windows.isEmpty)
        await expect(throws: SessionRestorationError.self) { try await next.restorer.save() }
    }

    @Test func restoringTwiceAtOnceIsRefused() async throws {
        let (next, restoring) = try await restoringWithoutAnAnswer()
        await expect(throws: SessionRestorationError.self) { try await next.restorer.restore() }
        next.storage.release()
        _ = try await restoring.value
        expect(next.windows.windows.map(\.titles), is: [["a"]])
    }

    @Test func aTabThatIsSavedTwiceIsToldAndItsOtherPageKept() async throws {
        let storage = MemoryStorage()
        let (first, second) = (SessionID(window: .random()), SessionID(window: .random()))
        let tab = TabMetadata(
            id: .random(), place: .between(nil, and: nil), url: "https://one.example/")
        var changes = SessionChanges()
        changes.put(SessionAttributes(createdAt: Timestamp(microseconds: 1)), for: first)
        changes.put(SessionAttributes(createdAt: Timestamp(microseconds: 2)), for: second)
        changes.put(tab, in: first)
        _ = try await storage.save(changes, durability: .memory)
        var double = tab
        double.url = "https://two.example/"
        let damaged = DoublingStorage(base: storage, tab: double, session: second)
        let host = try await Host.launched(storage: FaultyStorage(damaged))
        expect(host.restorer.report?.duplicates, is: [tab.id])
        let urls = host.windows.windows.flatMap { $0.tabs.tabs.map(\.url) }
        expect(urls.sorted(), is: ["https://one.example/", "https://two.example/"])
        try await host.restorer.save()
        let next = try await Host.launched(storage: FaultyStorage(storage))
        expect(next.restorer.report?.duplicates, is: [])
        expect(next.windows.windows.flatMap { $0.tabs.tabs }.count, is: 2)
    }

    @Test func aNewTabWithTheIdentifierOfAClosedOneIsThatTabNow() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b")
        let id = try window.tab("a").id
        try window.tabs.close(window.tabs[0])
        try await host.restorer.save()
        try window.tabs.insert(Tab(id: id, url: "https://new.example/", title: "new"))
        expect(host.restorer.closed.tabs.isEmpty)
        try await host.restorer.save()
        let next = try await host.killed()
        let tab = try require(next.windows.window(window.id)).tab("new")
        expect(try await tab.visited() == ["new"])
        expect(next.restorer.closed.tabs.isEmpty)
    }
}
