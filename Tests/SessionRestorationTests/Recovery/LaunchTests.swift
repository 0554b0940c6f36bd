import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

@MainActor @Suite(.timeLimit(.minutes(10)))
struct LaunchTests {
    private let full = StorageError(.outOfSpace, "the disk is full")
    private let broken = StorageError(.failed, "the disk is broken")

    @Test func theLaunchIsNotedBeforeAnythingIsHandedOut() async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a", "b")
        let host = try first.nextProcess()
        host.storage.hang(.save)
        let restoring = Task { _ = try await host.restorer.restore() }
        await host.storage.waitForHangingCalls()
        expect(host.windows.windows.isEmpty)
        expect(host.storage.calls.map(\.operation), is: [.restore, .save])
        let call = try require(host.storage.hangingCalls.first)
        expect(call.durability, is: host.storage.traits.greatestDurability)
        expect(call.sessionIDs, is: [LaunchMarker.session])
        host.storage.release()
        _ = try await restoring.value
        expect(host.windows.windows.map(\.titles), is: [["a", "b"]])
    }

    @Test func aLaunchThatCannotBeNotedFailsAndIsTheSameLaunchWhenTriedAgain() async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a", "b")
        let host = try first.nextProcess()
        host.storage.fail(.save, with: broken)
        await expect(throws: SessionRestorationError.self) { _ = try await host.restorer.restore() }
        expect(host.windows.windows.isEmpty)
        host.storage.fail(.sessions, with: broken)
        await expect(throws: SessionRestorationError.self) { _ = try await host.restorer.restore() }
        let report = try await host.restorer.restore()
        expect(report.launch.kind, is: .afterCrash(count: 1))
        expect(host.windows.windows.map(\.titles), is: [["a", "b"]])
    }

    @Test func aFullDiskDoesNotKeepTabsFromTheUser() async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a", "b")
        let host = try await first.killed { $0.fail(.save, with: full, on: .every) }
        expect(host.windows.windows.map(\.titles), is: [["a", "b"]])
    }

    @Test func anOrderlyEndIsNoted() async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a")
        try await first.restorer.close()
        expect(try await first.marker()?.phase == .clean)
        let host = try await first.killed()
        expect(host.restorer.report?.launch.kind, is: .clean)
        expect(try await host.marker()?.phase == .starting)
    }

    @Test func anEndThatCannotBeNotedMayBeTriedAgain() async throws {
        let host = try await Host.firstProcess()
        host.storage.fail(.save, with: broken)
        await expect(throws: SessionRestorationError.self) { try await host.restorer.close() }
        try await host.restorer.close()
        expect(try await host.marker()?.phase == .clean)
    }

    @Test func aDamagedNoteNeverLeadsToLoss() async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a", "b")
        var changes = SessionChanges()
        changes.put(SessionAttributes(properties: ["version": "9"]), for: LaunchMarker.session)
        _ = try await first.storage.base.save(changes)
        let host = try await first.killed()
        expect(host.restorer.report?.launch.kind, is: .unknown)
        expect(host.windows.windows.map(\.titles), is: [["a", "b"]])
        let next = try await host.killed {
            $0.fail(.restore, with: StorageError(.corrupted, "damaged"))
        }
        expect(next.restorer.report?.launch.kind, is: .unknown)
        expect(next.windows.windows.map(\.titles), is: [["a", "b"]])
    }

    @Test func aLaunchThatLastsIsNoCrashOfTheNextLoop() async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a", "b")
        let second = try await first.killed()
        expect(try await second.marker()?.crashes.count == 1)
        second.clock.advance(by: second.restorer.policy.crashes.stableAfter)
        await second.waitUntilIdle()
        expect(try await second.marker()?.crashes == [])
        expect(try await second.marker()?.phase == .running)
        let third = try await second.killed()
        expect(third.restorer.report?.launch.kind, is: .afterCrash(count: 1))
        expect(third.windows.windows.map(\.titles), is: [["a", "b"]])
    }

    @Test func aHostMaySayEarlierThatItIsStable() async throws {
        let host = try await Host.firstProcess().killed()
        host.restorer.markStable()
        await host.waitUntilIdle()
        expect(try await host.marker()?.crashes == [])
    }

    @Test func aStoreThatTakesThePlaceOfAnotherGetsTheNote() async throws {
        let host = try await Host.firstProcess()
        _ = try await host.window("a")
        let other = MemoryStorage()
        host.restorer.replaceStorage(with: other)
        await host.waitUntilIdle()
        expect(other.snapshots.contains { $0.id == LaunchMarker.session })
    }

    @Test func aKillInTheBackgroundIsNoCrash() async throws {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b")
        window.enterForeground()
        window.enterBackground()
        await first.waitUntilIdle()
        expect(try await first.marker()?.phase == .background)
        var host = first
        for _ in 0..<3 {
            host = try await host.killed(after: .seconds(30_000))
            expect(host.windows.windows.map(\.titles), is: [["a", "b"]])
            let window = try require(host.windows.windows.first)
            window.enterForeground()
            await host.waitUntilIdle()
            expect(try await host.marker()?.phase != .background)
            window.enterBackground()
            await host.waitUntilIdle()
            expect(host.restorer.report?.launch.kind, is: .endedInBackground)
        }
    }

    @Test func theAppIsInTheForegroundWhileOneWindowIs() async throws {
        let host = try await Host.firstProcess()
        let first = try await host.window("a")
        let second = try await host.window("b")
        first.enterForeground()
        second.enterForeground()
        first.enterBackground()
        await host.waitUntilIdle()
        expect(try await host.marker()?.phase == .starting)
    }

    @Test func aSignOfLifeIsLeftWhileTheAppRuns() async throws {
        let first = try await Host.firstProcess()
        _ = try await first.window("a", "b")
        first.clock.advance(by: first.restorer.policy.crashes.stableAfter)
        await first.waitUntilIdle()
        for _ in 0..<7 {
            first.storage.forgetCalls()
            first.clock.advance(by: first.restorer.policy.crashes.maximumAge / 6)
            await first.waitUntilIdle()
            expect(first.storage.calls(of: .save).count, is: 1)
        }
        let host = try await first.killed()
        expect(host.restorer.report?.launch.decision, is: .restore)
        expect(host.windows.windows.map(\.titles), is: [["a", "b"]])
    }
}
