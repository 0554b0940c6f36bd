import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// Each call of the store that clearing makes fails, loses its answer, or is the last one of the process.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ClearingFaultTests {
    enum Fault: CaseIterable, Sendable {
        case fails
        case losesItsAnswer
        case isNotReached
    }

    nonisolated private static let operations: [StorageCall.Operation] = [
        .sessions, .restore, .states, .save, .deleteIncognito, .eraseRemoved,
    ]

    /// Every place has tabs; some wait to be saved.
    private func full() async throws -> Host {
        let host = try await Host.firstProcess()
        let window = try await host.fillEveryPlace()
        let sidebar = try require(SessionKind(rawValue: "sidebar"))
        _ = try await host.window("h", kind: sidebar)
        try window.addUnsaved("i", then: "i2")
        return host
    }

    private func add(
        _ fault: Fault, _ operation: StorageCall.Operation, _ number: Int, _ host: Host
    ) {
        switch fault {
        case .fails:
            host.storage.fail(operation, with: StorageError(.failed, "broken"), on: .nth(number))
        case .losesItsAnswer:
            host.storage.failAfterwards(
                operation,
                with: StorageError(.unavailable, "no answer", effect: .indeterminate),
                on: .nth(number))
        case .isNotReached: host.storage.hang(operation, on: .nth(number))
        }
    }

    @Test(arguments: Fault.allCases, operations)
    func whatEndsItHalfWayLosesNothingElseAndTheNextOneClears(
        fault: Fault, operation: StorageCall.Operation
    ) async throws {
        for number in 1...3 {
            let host = try await full()
            let before = try host.everyTab(isRegular: true).count
            add(fault, operation, number, host)
            if fault == .isNotReached {
                guard await hangs(host) else { continue }
            } else {
                do { try await host.restorer.history.clear() } catch {
                    // The same process tries again.
                    try await host.restorer.history.clear()
                }
                expect(try host.everyTab().isEmpty)
                expect(host.restorer.isSaved)
                for window in host.windows {
                    expect(throws: SessionRestorationError.self) {
                        try host.restorer.closeAll.undo(in: window.id)
                    }
                }
                expect(try host.restorer.closed.reopenLast().isEmpty)
            }
            let next = try await host.killed()
            let left = try next.everyTab(isRegular: true)
            // They go in one set: all of them are there or none.
            expect(left.isEmpty || left.count >= before)
            expect(try next.everyTab().values.allSatisfy { $0 == 1 })
            try await next.restorer.history.clear()
            expect(try next.everyTab().isEmpty)
            let third = try await next.killed()
            expect(third.windows.windows.allSatisfy { $0.tabs.isEmpty })
            expect(third.restorer.closed.items.isEmpty && third.restorer.setAside.sessions.isEmpty)
            host.storage.release()
        }
    }

    /// Clears until a call hangs; `false` if clearing ends before that.
    private func hangs(_ host: Host) async -> Bool {
        let storage = host.storage
        let hang = Task { await storage.waitForHangingCalls() }
        let clearing = Task {
            defer { hang.cancel() }
            try await host.restorer.history.clear()
        }
        defer { clearing.cancel() }
        await hang.value
        return !storage.hangingCalls.isEmpty
    }

    @Test func whatCannotBeReadGoesAsWell() async throws {
        let first = try await full()
        try await first.restorer.save()
        for id in try await first.storage.base.sessions() where id.kind != .launch {
            let host = try first.nextProcess()
            host.storage.failReading(id, with: StorageError(.corrupted, "damaged"))
            try await host.restorer.restore()
            expect(host.restorer.report?.unreadable.map(\.session), is: [id])
            let kinds: BrowsingDataKinds =
                switch id.kind {
                case .recentlyClosed, .backup: .closed
                case .setAside: .setAside
                case .incognito: .incognito
                default: [.openTabs, .closed]
                }
            try await host.restorer.history.clear(kinds)
            let left = try await host.stored(id)
            expect(left?.tabs.isEmpty ?? true, "\(id)")
            break
        }
    }

    @Test func withoutRestoredWindowsTheSavedOnesGo() async throws {
        let first = try await full()
        try await first.restorer.save()
        let host = try first.nextProcess()
        try await host.restorer.restore(.none)
        try await host.restorer.history.clear([.openTabs, .incognito])
        let next = try await host.killed()
        expect(next.windows.windows.allSatisfy { $0.tabs.isEmpty })
        // What was closed was not asked for.
        expect(next.restorer.closed.items.map(\.title).sorted(), is: ["b", "d", "f"])
        try await next.restorer.history.clear()
        expect(try next.everyTab().isEmpty)
    }
}
