import BrowserModel
import BrowserSessions
import DirectoryBackend
import Expectations
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// What is reported to survive even a power cut, over a store that can promise it.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct DurableFeedTests {
    private let folder = TemporaryFolder()

    /// A host with delayed saves that survive a killed process and no more.
    private func host() async throws -> Host {
        let store = try await StorageBackend.directory.open(
            StorageConfiguration(location: folder.file("store")))
        var policy = RestorationPolicy()
        policy.durability = .processCrash
        return try await Host.launched(storage: FaultyStorage(store), policy: policy)
    }

    private func durable(_ host: Host) -> [DurableChanges] {
        host.seen.restorations.compactMap { event in
            if case .becameDurable(let changes) = event { changes } else { nil }
        }
    }

    @Test func whatADelayedSaveSavedIsMadeDurableBySave() async throws {
        let host = try await host()
        let window = try await host.window("a")
        try window.tab("a").setTitle("a2")
        await host.waitForDelayedSave()
        expect(durable(host).isEmpty)
        try await host.restorer.save()
        expect(host.storage.calls(of: .save).last?.durability, is: .powerLoss)
        expect(
            durable(host).map(\.changes),
            is: [[.put(.tab(try window.tab("a2").id), in: window.sessionID)]])
        host.storage.forgetCalls()
        try await host.restorer.save()
        expect(host.storage.calls.isEmpty)
        try await host.storage.close()
    }

    @Test func changesComeInOrderAndOnceAndNeverOfPrivateTabs() async throws {
        let host = try await host()
        let (window, other) = (try await host.window("a", "b"), try await host.window("c"))
        let secret = try await host.window("s", kind: .incognito)
        let (a, b) = (try window.tab("a"), try window.tab("b"))
        a.visit("a2")
        await host.waitForDelayedSave()
        try other.tabs.insert(try window.tabs.detach(window.tabs[1]))
        try secret.tab("s").visit("s2")
        await host.waitForDelayedSave()
        try window.tabs.close(a, reason: .cleanup)
        try await host.restorer.save()
        let told = durable(host).flatMap(\.changes)
        expect(told.count, is: Set(told).count)
        expect(told.contains(.put(.tab(b.id), in: other.sessionID)))
        expect(told.contains(.removed(.tab(a.id))))
        expect(!told.contains(.put(.tab(a.id), in: window.sessionID)))
        let moved = try require(told.firstIndex(of: .put(.tab(b.id), in: other.sessionID)))
        expect(moved < (try require(told.firstIndex(of: .removed(.tab(a.id))))))
        for case .put(.tab(let tab), _) in told { expect(secret.tabs.tab(tab) == nil) }
        try await host.storage.close()
    }

    @Test func aSessionThatIsThereAgainHasNoneOfItsFormerTabs() async throws {
        let host = try await host()
        let (window, other) = (try await host.window("a", "b"), try await host.window("c"))
        try window.tabs.transfer([window.tab("b")], to: other.tabs)
        try host.windows.close(window)
        await host.waitUntilIdle()
        host.seen.reset()
        var heard = HeardStore()
        heard.hear(
            DurableChanges(sequence: 1, changes: [.put(.tab(.random()), in: window.sessionID)]))
        // Removed, and there again, before anything is durable.
        host.restorer.context.saves.regular.mark(.removed(window.sessionID))
        await host.waitForDelayedSave()
        let again = try host.windows.open(window.id)
        try again.tabs.insert(Tab(url: "https://d.example/", title: "d"))
        await host.waitForDelayedSave()
        expect(durable(host).isEmpty)
        try await host.restorer.save()
        for changes in durable(host) { heard.hear(changes) }
        expect(heard.tabs, is: [try again.tab("d").id: again.sessionID])
        try await host.storage.close()
    }

    @Test func itIsToldAfterTheSave() async throws {
        let host = try await host()
        let window = try await host.window("a")
        try window.tab("a").setTitle("a2")
        try await host.restorer.save()
        let told = host.seen.events.filter { ["saved", "becameDurable"].contains($0) }
        expect(told, is: ["saved", "becameDurable"])
        try await host.storage.close()
    }

    @Test func aStoreThatPromisesNothingTellsNothing() async throws {
        let host = try await Host.launched()
        _ = try await host.window("a")
        expect(
            durable(host).isEmpty
                && !host.seen.saves.contains { $0.receipt.durability == .powerLoss })
    }
}
