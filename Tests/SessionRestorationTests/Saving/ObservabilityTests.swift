import BrowserModel
import BrowserSessions
import Expectations
import InMemoryLogging
import MetricsTestKit
import SessionRestoration
import SessionTesting

@MainActor @Suite(.timeLimit(.minutes(10)))
struct ObservabilityTests {
    @Test func savesRestoresAndFailuresAreMeasured() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        let backend = [("backend", host.storage.traits.backend)]
        let times = try host.metrics.expectTimer("browser_sessions_save_seconds", backend)
        expect(times.values.count, is: 1)
        let bytes = try host.metrics.expectRecorder("browser_sessions_save_state_bytes", backend)
        expect(bytes.values.allSatisfy { $0 > 0 } && !bytes.values.isEmpty)
        host.storage.fail(.save, with: StorageError(.outOfSpace, "the disk is full"))
        try window.tab("a").setTitle("a2")
        try? await host.restorer.save()
        let failures = try host.metrics.expectCounter(
            "browser_sessions_save_failures_total", backend + [("code", "outOfSpace")])
        expect(failures.totalValue, is: 1)
        try await host.restorer.save()
        let next = try await host.relaunched()
        let tabs = try next.metrics.expectRecorder("browser_sessions_restored_tabs", backend)
        expect(tabs.lastValue, is: 2)
        let restores = try next.metrics.expectTimer("browser_sessions_restore_seconds", backend)
        expect(restores.values.count, is: 1)
    }

    /// What a task reads of a restorer, by name.
    private func names(_ events: AsyncStream<RestorationEvent>) async -> [String] {
        var names: [String] = []
        for await event in events { names.append(String("\(event)".prefix { $0 != "(" })) }
        return names
    }

    @Test("a sequence has the events from its beginning on, and ends when the restorer closes")
    func events() async throws {
        let host = try await Host.launched()
        let events = host.restorer.events()
        _ = host.restorer.events()
        let window = try await host.window("a")
        let later = host.restorer.events()
        try window.tab("a").setTitle("a2")
        host.storage.fail(.save, with: StorageError(.outOfSpace, "the disk is full"))
        try? await host.restorer.save()
        try await host.restorer.close()
        let (all, some) = (await names(events), await names(later))
        expect(all.first == "willSave" && all.contains("saved"))
        expect(some.contains("saveFailed") && all.suffix(some.count) == some[...])
        expect(await names(host.restorer.events()) == [])
    }

    /// Closes a tab when it is notified of a save.
    private final class Closer: @MainActor SessionRestorerObserver {
        var tabs: [Tab] = []

        func restorer(_ restorer: SessionRestorer, did event: RestorationEvent) {
            guard case .saved = event, let tab = tabs.popLast() else { return }
            try? tab.list?.close(tab)
        }
    }

    @Test("an event that an observer causes does not overtake the one that caused it")
    func order() async throws {
        let host = try await Host.launched(policy: .with { $0.closed.maximumTabs = 1 })
        let window = try await host.window("a", "b", "c")
        try window.tabs.close(window.tab("a"))
        let (closer, late) = (Closer(), RecordingObserver())
        closer.tabs = [try window.tab("b")]
        host.restorer.addObserver(closer)
        host.restorer.addObserver(late)
        let events = host.restorer.events()
        try window.tab("c").setTitle("c2")
        try await host.restorer.save()
        try await host.restorer.close()
        let relevant = ["saved", "dropped"]
        expect(late.events.filter(relevant.contains).prefix(2), is: ["saved", "dropped"])
        expect(await names(events).filter(relevant.contains).prefix(2) == ["saved", "dropped"])
    }

    @Test("a sequence ends when another restorer takes the store")
    func eventsOfASupersededRestorer() async throws {
        let old = try await Host.launched()
        let window = try await old.window("a")
        let events = old.restorer.events()
        _ = try await old.relaunched()
        try window.tab("a").setTitle("a2")
        await expect(throws: SessionRestorationError.self) { try await old.restorer.save() }
        expect(await names(events).last == "healthChanged")
        expect(await names(old.restorer.events()) == [])
    }

    @Test("a sequence ends with its restorer")
    func eventsOfAReleasedRestorer() async throws {
        var restorer: SessionRestorer? = SessionRestorer(
            windows: WindowList(), storage: MemoryStorage())
        let events = try require(restorer?.events())
        restorer = nil
        expect(await names(events) == [])
    }

    @Test func logsHoldNoAddressAndNoTitle() async throws {
        let host = try await Host.launched()
        let window = try await host.window("secret", "other")
        let error = StorageError(.failed, "input/output error")
        host.storage.fail(.save, with: error)
        try window.tab("secret").visit("secret")
        try? await host.restorer.save()
        let next = Host(storage: FaultyStorage(host.storage.base))
        next.storage.failReading(window.sessionID, with: error)
        try await next.restorer.restore()
        let entries = host.log.entries + next.log.entries
        expect(entries.count >= 3)
        for entry in entries { expect(!"\(entry)".contains("secret")) }
    }
}
