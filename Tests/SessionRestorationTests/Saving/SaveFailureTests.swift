import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

@MainActor @Suite(.timeLimit(.minutes(10)))
struct SaveFailureTests {
    private let full = StorageError(.outOfSpace, "the disk is full", operation: "save")

    @Test func aFailedSaveKeepsItsChangesAndIsTriedAgainLaterAndLater() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        host.storage.fail(.save, with: full, on: .first(3))
        try window.tab("a").setTitle("a2")
        host.clock.advance(by: host.restorer.policy.saveDelay)
        var waits: [Duration] = []
        for count in 1...3 {
            await host.waitUntilIdle()
            expect(host.seen.failures.count, is: count)
            guard case .failing(let error, let attempts, let wait) = host.restorer.health else {
                recordIssue("the health is not failing")
                return
            }
            expect(error.code == .outOfSpace && attempts == count)
            waits.append(wait)
            host.clock.advance(by: wait)
        }
        await host.waitUntilIdle()
        expect(host.restorer.health.name, is: "healthy")
        expect(waits, is: [.seconds(1), .seconds(2), .seconds(4)])
        expect(try await host.storedTitles(window) == ["a2"])
    }

    @Test func aStoreThatHangsIsToldAndNothingIsLost() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        let tab = try window.tab("a")
        await host.hangSave { tab.setTitle("a2") }
        for number in 3...6 {
            tab.setTitle("a\(number)")
            host.clock.advance(by: host.restorer.policy.saveDelay)
            await host.waitUntilAllHasBegun()
        }
        expect(host.restorer.health.name, is: "stalled")
        expect(host.storage.calls(of: .save).count, is: 1)
        host.storage.release()
        await host.waitUntilIdle()
        expect(host.restorer.isSaved)
        expect(host.storage.calls(of: .save).count, is: 2)
        expect(try await host.storedTitles(window) == ["a6"])
    }

    @Test func anAddressOfMegabytesIsKeptInTheHistory() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        let address = "data:text/plain," + String(repeating: "x", count: 2 << 20)
        try window.tab("a").pages?.navigate(to: NavigationEntry(url: address, title: "data"))
        try await host.restorer.save()
        let next = try await host.relaunched()
        let tab = try require(next.windows.window(window.id)).tab("data")
        expect(tab.pages?.currentEntry?.url, is: address)
    }

    @Test(arguments: [(bytes: 1300, kept: 3...7), (bytes: 700, kept: 4...6), (500, 5...5)])
    func aHistoryThatIsTooLargeKeepsTheEntriesAroundTheCurrentOne(
        bytes: Int, kept: ClosedRange<Int>
    ) async throws {
        let storage = FaultyStorage(MemoryStorage(maximumStateBytes: bytes))
        let host = try await Host.launched(storage: storage)
        let window = try await host.window("a")
        let entries = (1...9).map { number in
            NavigationEntry(url: "https://\(number)." + String(repeating: "x", count: 200))
        }
        let tab = try window.tab("a")
        for entry in entries { tab.pages?.navigate(to: entry) }
        for _ in 5..<entries.count { tab.pages?.goBack() }
        try await host.restorer.save()
        let next = try await host.relaunched()
        let restored = try require(next.windows.window(window.id)).tabs.tabs[0]
        let history = try await next.restorer.states.state(of: restored).history
        expect(history.entries.map(\.url), is: kept.map { entries[$0 - 1].url })
        expect(history.currentIndex.map { history.entries[$0].url }, is: entries[4].url)
    }

    @Test func aStoreThatIsReplacedGetsEverythingThatIsOpenAndTheClosedTabs() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "closed")
        try window.tabs.close(window.tabs[2])
        try await host.restorer.save()
        let other = FaultyStorage()
        host.restorer.replaceStorage(with: other)
        try await host.restorer.save()
        let titles = try await other.base.restore(window.sessionID, at: .current)?.tabs
        expect(titles?.map(\.title), is: ["a", "b"])
        let next = try await Host.launched(storage: FaultyStorage(other.base))
        expect(next.restorer.closed.tabs.map(\.title), is: ["closed"])
        let reopened = try require(next.windows.window(window.id))
        try next.restorer.closed.reopenLast()
        expect(reopened.titles, is: ["a", "b", "closed"])
    }
}
