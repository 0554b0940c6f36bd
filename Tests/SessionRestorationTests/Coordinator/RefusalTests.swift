import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// What the store refuses of one tab keeps nothing else from being saved, is reported by tab, and never
/// counts as saved.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct RefusalTests {
    private let shot = StateName(rawValue: "screenshot") ?? .native

    private var policy: RestorationPolicy {
        var policy = RestorationPolicy()
        policy.launchEnvironment = LaunchEnvironment(bootID: "boot", processID: 1)
        policy.extraStates = [shot]
        return policy
    }

    /// A host with a tab `a` that has a property that no store takes.
    private func refused() async throws -> (Host, Window, Tab) {
        let host = try await Host.launched(policy: policy)
        let window = try await host.window("a", "b")
        let tab = try window.tab("a")
        tab.setProperty("huge", to: String(repeating: "x", count: 2 << 20))
        tab.visit("a2")
        try await host.restorer.save()
        return (host, window, tab)
    }

    @Test func aRefusedTabIsToldAsLongAsItIsSo() async throws {
        let (host, window, tab) = try await refused()
        expect(host.restorer.unsavedTabs[tab.id]?.code, is: .tooLarge)
        expect(host.seen.events.contains("tabNotSaved"))
        expect(!host.restorer.isSaved)
        // The others are saved, and that is all.
        try window.tab("b").setTitle("b2")
        try await host.restorer.save()
        expect(try await host.storedTitles(window) == ["a2", "b2"])
        let saves = host.storage.calls(of: .save).count
        try await host.restorer.save()
        expect(host.storage.calls(of: .save).count, is: saves)
        expect(host.restorer.unsavedTabs.keys.map { $0 }, is: [tab.id])
        tab.setProperty("huge", to: nil)
        try await host.restorer.save()
        expect(host.restorer.unsavedTabs.isEmpty)
        expect(host.restorer.isSaved)
    }

    @Test func whatARefusedTabShowsIsSavedAllTheSame() async throws {
        let (host, window, tab) = try await refused()
        tab.visit("a3")
        try await host.restorer.save()
        let next = try await host.killed(policy: policy)
        let restored = try require(next.windows.window(window.id)).tab("a3")
        expect(try await restored.visited() == ["a", "a2", "a3"])
    }

    @Test func aRefusedTabThatIsClosedIsClosed() async throws {
        let (host, window, tab) = try await refused()
        try window.tabs.close(window.tabs[0], reason: .cleanup)
        try await host.restorer.save()
        expect(host.restorer.unsavedTabs.isEmpty)
        expect(try host.everyTab()[tab.id] == nil)
        expect(host.restorer.isSaved)
    }

    /// A refusal says nothing about what became of the tab since it was sent.
    @Test(arguments: [true, false]) func aTabThatChangesBeforeItsRefusalIsSavedWhole(isClosed: Bool)
        async throws
    {
        let host = try await Host.launched(policy: policy)
        let window = try await host.window("a", "b")
        let tab = try window.tab("a")
        tab.setProperty("huge", to: String(repeating: "x", count: 2 << 20))
        host.storage.hang(.save)
        let saving = Task { try? await host.restorer.save() }
        await host.storage.waitForHangingCalls()
        if isClosed {
            try window.tabs.close(window.tabs[0], reason: .cleanup)
        } else {
            tab.setProperty("huge", to: "small")
        }
        host.storage.release()
        await saving.value
        try await host.restorer.save()
        expect(host.restorer.unsavedTabs.isEmpty && host.restorer.isSaved)
        let stored = try await host.storage.base.restore(window.sessionID, at: .current)
        let properties = stored?.tabs.first { $0.id == tab.id }?.properties
        expect(properties?["huge"], is: (isClosed ? nil : "small"))
        expect(!host.seen.events.contains { $0.contains("tabNotSaved") })
    }

    @Test func aRefusedTabMovesAndItsWindowMayGo() async throws {
        let (host, window, tab) = try await refused()
        let other = try await host.window("c")
        try other.tabs.insert(try window.tabs.detach(window.tabs[0]))
        try host.restorer.savedWindows.mergeAll(into: other)
        try await host.restorer.save()
        expect(try await host.storedTitles(other).sorted() == ["a2", "b", "c"])
        expect(try host.everyTab()[tab.id] == 1)
        window.tabs.closeAll(reason: .user)
        let next = try await host.killed(policy: policy)
        expect(next.windows.windows.count, is: 1)
    }

    @Test func aBlobThatIsTooLargeLeavesTheHistoryAlone() async throws {
        let host = try await Host.launched(policy: policy)
        let window = try await host.window("a")
        let tab = try window.tab("a")
        tab.page?.extra[shot] = [UInt8](
            repeating: 7, count: host.storage.traits.maximumStateBytes + 1)
        tab.visit("a2")
        try await host.restorer.save()
        expect(host.seen.events.contains("stateLeftOut"))
        expect(
            host.restorer.unsavedTabs[tab.id]?.subject,
            is: .state(TabStateKey(tab: tab.id, name: shot, in: window.sessionID)))
        let next = try await host.killed(policy: policy)
        let restored = try require(next.windows.window(window.id)).tab("a2")
        expect(restored.pages?.history.entries.map(\.title), is: ["a", "a2"])
    }

    @Test func aScrollDoesNotWriteTheScreenshotAgain() async throws {
        let host = try await Host.launched(policy: policy)
        let window = try await host.window("a")
        let tab = try window.tab("a")
        tab.page?.extra[shot] = [UInt8](repeating: 7, count: 200_000)
        tab.stateDidChange()
        try await host.restorer.save()
        expect(host.seen.saves.last?.stateBytes ?? 0 >= 200_000)
        tab.pages?.native = [1, 2, 3]
        tab.stateDidChange()
        try await host.restorer.save()
        expect(host.seen.saves.last?.stateBytes, is: 3)
        let next = try await host.killed(policy: policy)
        let restored = try require(next.windows.window(window.id)).tab("a")
        expect(restored.page?.extra[shot]?.count, is: 200_000)
        expect(restored.pages?.native, is: [1, 2, 3])
    }

    @Test func aBlobWhoseSaveGotNoAnswerIsSentAgain() async throws {
        let host = try await Host.launched(policy: policy)
        let window = try await host.window("a")
        let tab = try window.tab("a")
        for wasApplied in [true, false] {
            let lost = StorageError(.failed, "no answer", effect: .indeterminate)
            if wasApplied {
                host.storage.failAfterwards(.save, with: lost)
            } else {
                host.storage.fail(.save, with: lost)
            }
            tab.visit("next \(wasApplied)")
            try? await host.restorer.save()
            tab.pages?.goBack()
            try await host.restorer.save()
        }
        let stored = try await host.storage.base.history(
            of: tab.metadata, in: window.sessionID)
        expect(stored, is: tab.page?.history)
    }

    @Test func aPrivateTabThatIsGoneWithItsWindowIsNotToldAnyMore() async throws {
        let host = try await Host.launched(policy: policy)
        _ = try await host.window("kept", kind: .incognito)
        let window = try await host.window("a", kind: .incognito)
        let tab = try window.tab("a")
        let bytes = host.storage.traits.maximumStateBytes + 1
        tab.page?.extra[shot] = Array(repeating: 0, count: bytes)
        tab.stateDidChange()
        try await host.restorer.save()
        expect(host.restorer.unsavedTabs.keys.map { $0 }, is: [tab.id])
        try host.windows.incognito.close(window)
        expect(host.restorer.unsavedTabs.isEmpty)
    }
}
