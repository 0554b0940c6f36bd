import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

@MainActor
struct SetAsideTests {
    /// A process with two windows, a closed one and an incognito one, that has crashed twice.
    private func crashedTwice(
        prepare: (FaultyStorage) -> Void = { _ in }
    ) async throws -> (Host, windows: [Window]) {
        let first = try await Host.firstProcess()
        let a = try await first.window("a", "b")
        a.title = "errands"
        let c = try await first.window("c")
        let closed = try await first.window("closed")
        try first.windows.close(closed)
        _ = try await first.window("secret", kind: .incognito)
        let host = try await first.killed().killed(prepare: prepare)
        return (host, [a, c, closed])
    }

    @Test func theSecondCrashInALoopSetsAllOpenWindowsAside() async throws {
        let (host, windows) = try await crashedTwice()
        let report = try require(host.restorer.report)
        expect(report.launch.decision, is: .setAside(.crashLoop))
        expect(host.windows.windows(of: .regular).isEmpty)
        expect(host.restorer.setAside.sessions == report.setAside && report.setAside.count == 2)
        let aside = try require(
            report.setAside.first { $0.originalSession?.window == windows[0].id })
        expect(aside.tabs == 2 && aside.title == "errands" && aside.reason == .crashLoop)
        expect(aside.date != .unknown && !aside.isAcknowledged)
        expect(try await host.stored(aside.id)?.tabs.map(\.title) == ["a", "b"])
        expect(try await host.stored(windows[0].sessionID) == nil)
        expect(try await host.stored(windows[2].sessionID)?.tabs.map(\.title) == ["closed"])
        // In one durable set.
        let moves = host.storage.calls(of: .save).filter {
            $0.sessionIDs.contains { $0.kind == .setAside }
        }
        expect(moves.map(\.durability), is: [host.storage.traits.greatestDurability])
        // Incognito tabs come back, unrealized.
        let secret = try require(host.windows.incognito.first)
        expect(secret.titles == ["secret"] && secret.tabs.activeTab != nil)
        expect(!secret.tabs[0].isRealized)
        // Later launches list the same.
        try await host.restorer.close()
        let next = try await host.killed(after: .seconds(10_000_000))
        expect(next.restorer.setAside.sessions, is: report.setAside)
        expect(next.windows.windows(of: .regular).isEmpty)
    }

    @Test func aCrashLongAgoSetsAsideToo() async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a")
        let host = try await first.killed(after: .seconds(7 * 3_600))
        expect(host.restorer.setAside.sessions.map(\.reason), is: [.old])
    }

    @Test func aHostThatOpensItsWindowsItselfFindsThemSetAside() async throws {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b")
        let host = try await first.killed().nextProcess()
        let report = try await host.restorer.restore(.none)
        expect(report.setAside.map(\.tabs), is: [2])
        expect(try await host.restorer.savedWindows.open(window.id).titles == [])
    }

    @Test func aFullDiskLeavesWindowsWhereTheyAreAndUnopened() async throws {
        let (host, windows) = try await crashedTwice {
            $0.fail(.save, with: StorageError(.outOfSpace, "full"), on: .every)
        }
        expect(
            host.windows.windows(of: .regular).isEmpty && host.restorer.setAside.sessions.isEmpty)
        host.storage.forgetFaults()
        expect(try await host.restorer.savedWindows.open(windows[0].id).titles == ["a", "b"])
        expect(try host.everyTab().values.allSatisfy { $0 == 1 })
    }

    @Test(arguments: 1...3, [false, true])
    func killedAtEveryStepOfSettingAsideNothingIsLost(step: Int, applied: Bool) async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a", "b")
        _ = try await first.window("c")
        let tabs = try first.everyTab()
        let second = try await first.killed()
        let third = try second.nextProcess()
        third.storage.stop(.save, at: step, applied: applied)
        _ = try? await third.restorer.restore()
        expect(try third.everyTab() == tabs)
        let host = try await third.killed()
        expect(try host.everyTab() == tabs)
        let open = host.windows.windows.flatMap(\.titles)
        expect(open.count + host.restorer.setAside.sessions.reduce(0) { $0 + $1.tabs }, is: 3)
    }

    /// A process that has set a window with three tabs aside.
    private func launched() async throws -> (Host, Window, SetAsideSession) {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b", "c")
        try window.tabs.pin(window.tabs[0])
        try window.tab("b").visit("b2")
        window.title = "errands"
        try await first.restorer.save()
        let host = try await first.killed().killed()
        return (host, window, try require(host.restorer.setAside.sessions.first))
    }

    @Test func whatWasSetAsideComesBackIntoItsWindowUnrealized() async throws {
        let (host, old, aside) = try await launched()
        let window = try await host.restorer.setAside.bringBack(aside.id)
        expect(window.id == old.id && window.titles == ["a", "b2", "c"])
        expect(window.tabs.pinnedCount == 1 && window.title == "errands")
        expect(window.tabs.tabs.allSatisfy { !$0.isRealized })
        expect(window.tabs.activeTab?.title, is: "c")
        expect(window.attributes, is: window.attributes.broughtBack)
        expect(host.restorer.setAside.sessions.isEmpty)
        expect(try await host.stored(aside.id) == nil)
        expect(try await window.tabs[1].visited() == ["b", "b2"])
        await #expect { _ = try await host.restorer.setAside.bringBack(aside.id) } throws: {
            if case SessionRestorationError.unknownSession(aside.id) = $0 { true } else { false }
        }
        let next = try await host.killed(boot: "later")
        expect(next.windows.windows.map(\.titles), is: [["a", "b2", "c"]])
    }

    @Test func whatIsDiscardedIsGone() async throws {
        let (host, _, aside) = try await launched()
        try await host.restorer.setAside.discard(aside.id)
        expect(host.restorer.setAside.sessions.isEmpty)
        expect(try host.everyTab().isEmpty)
    }

    @Test func itComesBackAsANewWindowIfItsOwnIsOpen() async throws {
        let (host, old, aside) = try await launched()
        let taken = try host.windows.open(old.id)
        try taken.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        let window = try await host.restorer.setAside.bringBack(aside.id)
        expect(window.id != old.id && window.titles == ["a", "b2", "c"])
        expect(taken.titles, is: ["new"])
    }

    @Test func itComesBackAsANewWindowIfItsOwnIsSavedWithOtherTabs() async throws {
        let (host, old, aside) = try await launched()
        let taken = try host.windows.open(old.id)
        try taken.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        try host.windows.close(taken)
        let window = try await host.restorer.setAside.bringBack(aside.id)
        expect(window.id != old.id)
        expect(try await host.storedTitles(taken) == ["new"])
    }

    @Test func inactiveTabsWaitForTheirWindowAndComeBackWithIt() async throws {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b")
        let inactive = try first.windows.open(window.id, kind: .inactive)
        try inactive.tabs.insert(Tab(url: "https://old.example/", title: "old"))
        try await first.restorer.save()
        let host = try await first.killed().killed()
        expect(host.windows.windows.isEmpty)
        let aside = try require(host.restorer.setAside.sessions.first)
        _ = try await host.restorer.setAside.bringBack(aside.id)
        expect(host.windows.window(window.id, kind: .inactive)?.titles, is: ["old"])
        expect(host.windows.ids.reservedWindows.isEmpty)
    }

    @Test(arguments: [false, true])
    func killedWhileItComesBackNothingIsLost(applied: Bool) async throws {
        let (host, _, aside) = try await launched()
        let tabs = try host.everyTab()
        host.storage.stop(.save, at: 1, applied: applied)
        await expect(throws: SessionRestorationError.self) {
            _ = try await host.restorer.setAside.bringBack(aside.id)
        }
        expect(host.windows.windows.isEmpty)
        let next = try await host.killed(boot: "later")
        expect(try next.everyTab() == tabs)
        expect(next.restorer.setAside.sessions.count + next.windows.windows.count, is: 1)
    }

    @Test func itStaysUntilItIsAcknowledgedHoweverOldItIs() async throws {
        let (host, _, aside) = try await launched()
        host.clock.advance(by: host.restorer.policy.crashes.setAsideAge * 3)
        _ = try await host.window("new")
        try await host.restorer.save()
        expect(host.restorer.setAside.sessions, is: [aside])
    }

    @Test func whatWasAcknowledgedIsDiscardedByAgeAfterALaterSave() async throws {
        let (host, _, aside) = try await launched()
        try await host.restorer.setAside.acknowledge(aside.id)
        expect(host.restorer.setAside.sessions.map(\.isAcknowledged), is: [true])
        try await host.restorer.close()
        // A clock may be wrong: between two launches no more than two days are believed to have passed.
        let next = try await host.killed(after: host.restorer.policy.crashes.setAsideAge * 2)
        _ = try await next.window("other")
        next.clock.advance(by: host.restorer.policy.crashes.setAsideAge - .seconds(3 * 86_400))
        try await next.restorer.save()
        expect(next.restorer.setAside.sessions.map(\.isAcknowledged), is: [true])
        expect(try await next.stored(aside.id) != nil)
        next.clock.advance(by: .seconds(2 * 86_400))
        _ = try await next.window("new")
        expect(next.restorer.setAside.sessions.isEmpty)
        expect(next.seen.dropped.isEmpty || next.seen.dropped.map(\.setAside) == [[aside.id]])
        try await next.restorer.save()
        expect(try await next.stored(aside.id) == nil)
    }

    @Test func nothingIsDiscardedAfterASuspiciousLoad() async throws {
        let (host, _, aside) = try await launched()
        try await host.restorer.setAside.acknowledge(aside.id)
        let other = try await host.window("other")
        try await host.restorer.close()
        let next = try await host.killed(after: .seconds(100 * 86_400)) { storage in
            storage.failReading(other.sessionID, with: StorageError(.corrupted, "damaged"))
        }
        expect(next.restorer.report?.unreadable.map(\.session), is: [other.sessionID])
        _ = try await next.window("new")
        try await next.restorer.save()
        expect(try await next.stored(aside.id) != nil)
    }

    @Test func onlySoManyAcknowledgedOnesAreKept() async throws {
        let first = try await Host.firstProcess(policy: .with { $0.crashes.maximumSetAside = 1 })
        for title in ["a", "b", "c"] { _ = try await first.window(title) }
        let host = try await first.killed().killed()
        let all = host.restorer.setAside.sessions.map(\.id)
        for id in all.prefix(2) {
            host.clock.advance(by: .seconds(1))
            try await host.restorer.setAside.acknowledge(id)
        }
        try await host.restorer.save()
        expect(Set(host.restorer.setAside.sessions.map(\.id)), is: [all[1], all[2]])
        expect(try await host.stored(all[0]) == nil)
    }
}

extension FaultyStorage {
    /// Everything fails from the n-th call on, as for a process that is killed there.
    func stop(_ operation: StorageCall.Operation, at call: Int, applied: Bool) {
        let error = StorageError(.failed, "killed", effect: .indeterminate)
        if applied {
            failAfterwards(operation, with: error, on: .nth(call))
        } else {
            fail(operation, with: error, on: .nth(call))
        }
        for later in 1...20 { fail(operation, with: error, on: .nth(call + later)) }
    }
}
