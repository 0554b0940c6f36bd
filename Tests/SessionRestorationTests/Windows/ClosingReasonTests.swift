import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// Windows that close because the app ends come back.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ClosingReasonTests {
    @Test func whatTheAppClosesAtItsEndComesBackPrivateWindowsToo() async throws {
        let host = try await Host.firstProcess()
        let windows = [
            try await host.window("a", "b"), try await host.window("c"),
            try await host.window("secret", kind: .incognito),
        ]
        let notes = try host.windows.open(windows[0].id, kind: "companion-notes")
        try notes.tabs.insert(Tab(url: "https://n.example/", title: "n"))
        try windows[0].tab("a").visit("a2")
        for window in windows { try host.windows.close(window, reason: .appEnds) }
        expect(host.windows.windows.isEmpty && host.restorer.closed.windows.isEmpty)
        await host.waitUntilIdle()
        try await host.restorer.close()
        let next = try await host.relaunched()
        expect(Set(next.windows.map(\.titles)), is: [["a2", "b"], ["c"]])
        expect(next.windows.incognito.map(\.titles), is: [["secret"]])
        expect(next.windows.window(windows[0].id, kind: "companion-notes")?.titles, is: ["n"])
        expect(next.restorer.closed.windows.isEmpty)
    }

    @Test func aPrivateWindowThatTheUserClosesIsGone() async throws {
        let host = try await Host.firstProcess()
        try host.windows.close(try await host.window("secret", kind: .incognito))
        await host.waitUntilIdle()
        expect(host.seen.events.contains("incognitoDeleted"))
        expect(try await host.storage.base.sessions().allSatisfy { $0.partition == .regular })
        try await host.restorer.close()
        let next = try await host.relaunched()
        expect(next.windows.incognito.isEmpty)
        expect(try await next.storage.base.sessions().allSatisfy { $0.partition == .regular })
    }

    /// A desktop that ends takes one window after the other, and the host can't tell why.
    @Test(arguments: [false, true])
    func windowsThatCloseTogetherAtTheEndComeBack(isKilled: Bool) async throws {
        let host = try await Host.firstProcess()
        let early = try await host.window("early")
        var windows: [Window] = []
        for title in ["a", "b", "c"] { windows.append(try await host.window(title)) }
        try host.windows.close(early)
        host.clock.advance(by: .seconds(60))
        for window in windows {
            try host.windows.close(window)
            await host.waitUntilIdle()
            host.clock.advance(by: .seconds(4))
        }
        if !isKilled { try await host.restorer.close() }
        host.clock.advance(by: .seconds(3600))
        let next = try await host.killed()
        expect(Set(next.windows.map(\.titles)), is: [["a"], ["b"], ["c"]])
        expect(next.restorer.report?.closedLast, is: windows.map(\.sessionID).sorted())
        expect(next.restorer.closed.windows.map(\.id), is: [early.id])
        // At once after the launch, before anything was saved.
        let last = try await next.killed(boot: "later")
        expect(Set(last.windows.map(\.titles)), is: [["a"], ["b"], ["c"]])
    }

    /// Who is killed later has lived without a window, and so has an app that ends later.
    @Test(arguments: [false, true])
    func anAppThatGoesOnWithoutAWindowHadThemClosed(isKilled: Bool) async throws {
        let host = try await Host.firstProcess()
        try host.windows.close(try await host.window("a"))
        await host.waitUntilIdle()
        host.clock.advance(by: .seconds(6))
        if isKilled { await host.waitUntilIdle() } else { try await host.restorer.close() }
        let next = try await host.killed()
        expect(next.windows.isEmpty && next.restorer.closed.windows.count == 1)
        if isKilled { return }
        // Nor do they come back at a later launch.
        try await next.restorer.close()
        expect(try await next.killed().windows.isEmpty)
    }

    /// The launch after could not read the store, or was killed before it had opened them.
    @Test func theyComeBackThoughALaunchFailsBetween() async throws {
        let host = try await Host.firstProcess()
        try host.windows.close(try await host.window("a"))
        try await host.restorer.close()
        let failed = try host.nextProcess(after: .seconds(60))
        failed.storage.fail(.restore, with: StorageError(.unavailable, "no"), on: .nth(2))
        await expect(throws: SessionRestorationError.self) { try await failed.restorer.restore() }
        let next = try await failed.killed(after: .seconds(60))
        expect(next.windows.map(\.titles), is: [["a"]])
    }

    /// A last save that takes long is no life without a window.
    @Test func theEndIsWhenTheHostSaysSo() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        await host.waitUntilIdle()
        host.storage.hang(.save)
        try host.windows.close(window)
        let closing = Task { try await host.restorer.close() }
        await host.storage.waitForHangingCalls()
        host.clock.advance(by: .seconds(6))
        host.storage.release()
        try await closing.value
        let next = try await host.killed()
        expect(next.windows.map(\.titles), is: [["a"]])
    }

    @Test func privateTabsThatAreNeverSavedAreNotWaitedFor() async throws {
        let host = try await Host.firstProcess(policy: .with { $0.incognito = .neverSave })
        try host.windows.close(try await host.window("s", kind: .incognito), reason: .appEnds)
        let other = try await host.window("t", kind: .incognito)
        other.tabs.closeAll(reason: .user)
        await host.waitUntilIdle()
        expect(host.seen.events.contains("incognitoDeleted"))
    }

    @Test func windowsIncognitoHaveNoReservations() throws {
        let windows = WindowList()
        expect(throws: WindowIDError.self) { try windows.ids.reserve(.random(), kind: .incognito) }
        let reservation = windows.ids.reserve(kind: .incognito)
        expect(throws: WindowListError.self) { try windows.open(reservation) }
        expect(windows.isEmpty)
    }

    @Test func aWindowThatIsLeftMeansThatTheUserClosedTheOthers() async throws {
        let host = try await Host.firstProcess()
        _ = try await host.window("left")
        try host.windows.close(try await host.window("a"))
        try await host.restorer.close()
        let next = try await host.killed()
        expect(next.windows.map(\.titles), is: [["left"]])
        expect(next.restorer.closed.windows.count, is: 1)
    }

    @Test func whatIsOfferedFirstIsWhatClosedLast() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        try host.windows.close(window)
        try await host.restorer.close()
        let next = Host(
            storage: FaultyStorage(host.storage.base), clock: host.clock,
            policy: host.restorer.policy)
        try await next.restorer.restore(.none)
        expect(next.windows.isEmpty && next.restorer.closed.windows.isEmpty)
        let again = try await next.restorer.savedWindows.open(next.windows.ids.reserve())
        expect(again.id == window.id && again.titles == ["a"])
    }
}
