import BrowserModel
import BrowserSessions
import DirectoryBackend
import Expectations
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// What the store keeps when many tabs go, and what it does not because the user asked for it.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct LossTests {
    private let folder = TemporaryFolder()

    private func open() async throws -> FaultyStorage {
        FaultyStorage(
            try await StorageBackend.directory.open(
                StorageConfiguration(location: folder.file("store"))))
    }

    /// A host with a window of tabs that a restore point has.
    private func launched(tabs: Int) async throws -> (Host, Window) {
        let host = try await Host.launched(storage: open())
        let window = try host.windows.open()
        for number in 0..<tabs {
            try window.tabs.insert(
                host.restorer.states.createUnrealizedTab(
                    TabMetadata(
                        id: .random(), place: .between(nil, and: nil),
                        url: "https://\(number).example/", title: "\(number)"),
                    state: TabState()))
        }
        try await host.restorer.save()
        _ = try await host.storage.takeRestorePoint(name: "all", pinned: false)
        window.title = "changed since"
        try await host.restorer.save()
        host.storage.forgetCalls()
        return (host, window)
    }

    private func end(_ host: Host) async throws {
        try await host.restorer.close()
        try await host.storage.close()
    }

    private func end(_ host: Host, marks expected: [Bool], beforeLoss lost: [Int]) async throws {
        expect(marks(host), is: expected)
        expect(try await beforeLoss(host) == lost)
        try await end(host)
    }

    private func beforeLoss(_ host: Host) async throws -> [Int] {
        try await host.storage.restorePoints().filter { $0.reason == .beforeLoss }
            .map(\.lostTabCount)
    }

    private func reported(_ host: Host) -> [Int] {
        host.seen.restorations.compactMap {
            if case .tookPointBeforeLoss(let point) = $0 { point.lostTabCount } else { nil }
        }
    }

    /// Whether the sets that took tabs away were intended.
    private func marks(_ host: Host) -> [Bool] { host.storage.savedSets.map(\.isIntended) }

    @Test func aProgramClosesMostTabsAndTheStateBeforeIsKept() async throws {
        let (host, window) = try await launched(tabs: 300)
        let titles = window.tabs.map(\.title)
        try window.tabs.close(window.tabs[0..<200], reason: .program)
        try await host.restorer.save()
        expect(marks(host) == [false] && reported(host) == [200])
        expect(try await beforeLoss(host) == [200])
        // They are closed like any others.
        let closed = host.restorer.closed.tabs
        expect(closed.count == 200 && closed.allSatisfy { $0.isClosedByProgram })
        try await end(host)

        let next = try await Host.launched(storage: open())
        expect(next.restorer.report?.pointsBeforeLoss.map(\.lostTabCount), is: [200])
        expect(next.restorer.closed.tabs.count { $0.isClosedByProgram }, is: 200)
        expect(try next.restorer.closed.reopenLast().count == 200)
        expect(next.windows.windows(of: .regular).map { $0.tabs.map(\.title) }, is: [titles])
        try await end(next)
    }

    @Test func aPointWithANameThatHasTheStateBeforeIsOfferedToo() async throws {
        let (host, window) = try await launched(tabs: 40)
        let named = try await host.restorer.history.takeRestorePoint(name: "mine")
        window.tabs.closeAll(reason: .program)
        try await host.restorer.save()
        expect(reported(host), is: [40])
        try await end(host)

        let next = try await Host.launched(storage: open())
        let offered = try require(next.restorer.report?.pointsBeforeLoss)
        expect(offered.map(\.id) == [named.id] && offered.map(\.name) == ["mine"])
        try await end(next)
    }

    @Test func oneTabThatNobodyAskedForIsEnough() async throws {
        let (host, window) = try await launched(tabs: 40)
        try window.tabs.close(window.tabs[0..<20])
        try window.tabs.close(window.tabs[0], reason: .program)
        try await host.restorer.save()
        try await end(host, marks: [false], beforeLoss: [21])
    }

    @Test(arguments: [ClosingReason.cleanup, .replacement])
    func whatTheAppDoesByItselfIsNotAskedFor(reason: ClosingReason) async throws {
        let (host, window) = try await launched(tabs: 40)
        try window.tabs.close(window.tabs[0..<20], reason: reason)
        try await host.restorer.save()
        try await end(host, marks: [false], beforeLoss: [20])
    }

    @Test func whatIsClosedAndReopenedByTheUserMayBeLostLater() async throws {
        let (host, window) = try await launched(tabs: 40)
        try window.tabs.close(window.tabs[0..<20])
        try host.restorer.closed.reopenLast()
        try window.tabs.close(window.tabs[0..<20], reason: .program)
        try await host.restorer.save()
        try await end(host, marks: [false], beforeLoss: [20])
    }

    @Test func whatTheUserMovesToAShelfAndClosesWithAWindowIsIntended() async throws {
        let (host, window) = try await launched(tabs: 60)
        let shelf = try host.windows.open(.random(), kind: "shelf-later")
        try window.tabs.transfer(Array(window.tabs.tabs[..<20]), to: shelf.tabs)
        try host.restorer.closeAll(in: window)
        try await host.restorer.save()
        try await end(host, marks: [true], beforeLoss: [])
    }

    @Test(arguments: [false, true])
    func aWindowIsDiscarded(wasClosed: Bool) async throws {
        let (host, window) = try await launched(tabs: 40)
        _ = try host.windows.open()
        try host.windows.close(window, reason: wasClosed ? .byUser : .appEnds)
        try await host.restorer.save()
        host.storage.forgetCalls()
        try await host.restorer.savedWindows.discard([window.id])
        try await end(host, marks: [wasClosed], beforeLoss: wasClosed ? [] : [40])
    }

    @Test func closedTabsBeyondTheLimitStayAskedFor() async throws {
        let (host, window) = try await launched(tabs: 300)
        // Each by itself: the first ones go before they were saved.
        for _ in 0..<200 { try window.tabs.close(window.tabs[0]) }
        expect(host.restorer.closed.tabs.count, is: 100)
        try await host.restorer.save()
        expect(marks(host), is: [true])
        try await end(host)
    }

    @Test(arguments: [BrowsingDataKinds.openTabs, .everything])
    func clearingKeepsNothing(kinds: BrowsingDataKinds) async throws {
        let (host, window) = try await launched(tabs: 40)
        // What a program closed before is cleared as well.
        if kinds == .everything { try window.tabs.close(window.tabs[0..<20], reason: .program) }
        try await host.restorer.history.clear(kinds)
        expect(marks(host).allSatisfy { $0 } && reported(host).isEmpty)
        expect(try await host.storage.restorePoints().isEmpty)
        try await end(host)
    }

    @Test func clearingWithoutErasingTakesNoPointEither() async throws {
        let (host, window) = try await launched(tabs: 40)
        host.storage.fail(.eraseRemoved, with: StorageError(.unavailable, "not now"))
        await expect(throws: SessionRestorationError.self) {
            try await host.restorer.history.clear()
        }
        expect(window.tabs.isEmpty && reported(host).isEmpty)
        expect(try await beforeLoss(host).isEmpty)
        try await end(host)
    }

    @Test(arguments: [ClosingReason.user, .program])
    func aSaveThatFailsKeepsItsMark(reason: ClosingReason) async throws {
        let (host, window) = try await launched(tabs: 40)
        try window.tabs.close(window.tabs[0..<20], reason: reason)
        host.storage.fail(.save, with: StorageError(.outOfSpace, "full"))
        await expect(throws: SessionRestorationError.self) { try await host.restorer.save() }
        // The answer of the second one is lost.
        host.storage.failAfterwards(
            .save, with: StorageError(.unavailable, "no answer", effect: .indeterminate))
        await expect(throws: SessionRestorationError.self) { try await host.restorer.save() }
        try await host.restorer.save()
        try await end(
            host, marks: Array(repeating: reason == .user, count: 3),
            beforeLoss: reason == .user ? [] : [20])
    }

    @Test func recordsThatAreSentOneByOneKeepTheirMarks() async throws {
        let (host, window) = try await launched(tabs: 40)
        try window.tabs.close(window.tabs[0..<3])
        try window.tabs.close(window.tabs[0..<2], reason: .program)
        host.storage.fail(.save, with: StorageError(.invalidChanges, "something is wrong"))
        try await host.restorer.save()
        expect(marks(host).count { $0 }, is: 3)
        try await end(host)
    }

    @Test func aTabThatItsOwnerLetsGoOfIsNotAskedFor() async throws {
        let (host, window) = try await launched(tabs: 40)
        _ = try window.tabs.detach(window.tab("3"))
        try await host.restorer.save()
        expect(host.restorer.closed.tabs.map(\.title), is: ["3"])
        expect(marks(host).allSatisfy { !$0 })
        try await end(host)
    }

    @Test func aWindowThatIsEmptyWhenItGoesTakesNothing() async throws {
        let (host, window) = try await launched(tabs: 40)
        let inactive = try host.windows.open(window.id, kind: .inactive)
        try window.tabs.transfer(Array(window.tabs.tabs[..<20]), to: inactive.tabs)
        try await host.restorer.save()
        host.storage.forgetCalls()
        inactive.tabs.closeAll(reason: .user)
        try host.windows.close(inactive)
        try await host.restorer.save()
        expect(marks(host), is: [true])
        try await end(host)
    }
}
