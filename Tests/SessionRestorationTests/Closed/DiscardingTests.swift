import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting
import StorageEngines

/// What is deleted of windows that are gone for good.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct DiscardingTests {
    private func sessions(_ host: Host, _ id: WindowID) async throws -> [String] {
        try await host.storage.base.sessions().filter { $0.window == id }.map(\.kind.rawValue)
    }

    @Test func everythingOfTheWindowIsDeletedAtOnce() async throws {
        let host = try await Host.launched()
        let kept = try await host.window("kept")
        let window = try await host.window("a", "b", "c")
        try host.restorer.closeAll(in: window)
        try window.tabs.insert(Tab(url: "https://d.example/", title: "d"), as: .active)
        let old = try host.windows.open(window.id, kind: .inactive)
        try old.tabs.insert(Tab(url: "https://old.example/", title: "old"))
        try host.windows.close(window)
        try await host.restorer.save()
        expect(try await sessions(host, window.id) == ["backup", "inactive", "regular"])
        host.storage.forgetCalls()
        let report = try await host.restorer.savedWindows.discard([window.id])
        expect(report.discarded, is: [window.id])
        expect(try await sessions(host, window.id) == [])
        expect(host.storage.savedSets.count, is: 1)
        expect(host.restorer.closed.windows.isEmpty)
        expect(try await host.storedTitles(kept) == ["kept"])
    }

    @Test func openAndReservedWindowsArePostponedAndSentinelsRefused() async throws {
        let host = try await Host.launched()
        let open = try await host.window("a", "b")
        let hidden = try await host.window("x", kind: .incognito)
        let reservation = host.windows.ids.reserveNew()
        try open.tabs.close(open.tabs[0])
        let unknown = WindowID.random()
        let report = try await host.restorer.savedWindows.discard([
            open.id, hidden.id, reservation.id, unknown, .profileWide, .unavailable,
        ])
        expect(report.postponed, is: [open.id, hidden.id, reservation.id].sorted())
        expect(report.sentinels, is: [.profileWide, .unavailable])
        expect(report.unknown, is: [unknown])
        expect(report.discarded.isEmpty)
        expect(host.restorer.closed.tabs.map(\.title), is: ["a"])
        expect(try await sessions(host, open.id) == ["regular"])
        expect(try await sessions(host, hidden.id) == ["incognito"])
        reservation.cancel()
    }

    @Test func theIncognitoPartitionGoesWhenNoTabOfItIsLeft() async throws {
        let first = try await Host.launched()
        let regular = try await first.window("a")
        let hidden = try await first.window("x", kind: .incognito)
        let other = try await first.window("y", kind: .incognito)
        _ = regular
        // The process is killed; the next one opens no window.
        let storage = FaultyStorage(first.storage.base)
        let host = Host(storage: storage, clock: first.clock)
        try await host.restorer.restore(.none)
        let report = try await host.restorer.savedWindows.discard([hidden.id])
        expect(report.discarded == [hidden.id] && !report.incognitoWasDeleted)
        expect(storage.calls(of: .deleteIncognito).isEmpty)
        expect(try await sessions(host, hidden.id) == [])
        expect(try await sessions(host, other.id) == ["incognito"])
        expect(try await host.restorer.savedWindows.discard([other.id]).incognitoWasDeleted)
        expect(storage.calls(of: .deleteIncognito).count, is: 1)
        expect(try await sessions(host, other.id) == [])
    }

    @Test func aFailureIsThrownAndTheDeletionTriedAgain() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        try host.windows.close(window)
        try await host.restorer.save()
        // Whatever the closing has caused comes before, such as a note of the launch.
        await host.waitUntilIdle()
        host.storage.fail(.save, with: StorageError(.outOfSpace, "full"))
        await #expect { try await host.restorer.savedWindows.discard([window.id]) } throws: {
            if case SessionRestorationError.storage = $0 { true } else { false }
        }
        try await host.restorer.save()
        expect(try await sessions(host, window.id) == [])
    }
}

/// Sessions that are removed while something of them is on its way to the store.
@MainActor
struct RemovedSessionTests {
    @Test func aTabOfAWindowClosedWhileItsSaveFailsDoesNotComeBack() async throws {
        let host = try await Host.launched()
        let other = try await host.window("y", kind: .incognito)
        let window = try await host.window("x", kind: .incognito)
        try window.tabs.insert(Tab(url: "https://new.example/", title: "new"))
        host.storage.hang(.save)
        host.storage.fail(.save, with: StorageError(.outOfSpace, "full"))
        let save = Task { try? await host.restorer.save() }
        await host.storage.waitForHangingCalls()
        try host.windows.close(window)
        host.storage.forgetCalls()
        host.storage.release()
        await save.value
        try await host.restorer.save()
        for changes in host.storage.savedChanges {
            expect(throws: Never.self) { try changes.validate(maximumStateBytes: 1 << 20) }
        }
        expect(try await host.stored(window.sessionID) == nil)
        expect(try await host.storedTitles(other) == ["y"])
    }
}
