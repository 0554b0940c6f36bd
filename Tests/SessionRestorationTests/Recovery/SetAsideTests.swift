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
        let report = try #require(host.restorer.report)
        expect(report.launch.decision, is: .setAside(.crashLoop))
        expect(host.windows.windows(of: .regular).isEmpty)
        expect(host.restorer.setAside.sessions == report.setAside && report.setAside.count == 2)
        let aside = try #require(
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
        let secret = try #require(host.windows.incognito.first)
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
