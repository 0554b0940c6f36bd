import BrowserModel
import BrowserSessions
import Expectations
import InMemoryLogging
import Logging
import MetricsTestKit
import SessionRestoration
import SessionTesting

/// A host app with one profile. The test controls its time and its store.
@MainActor
final class Host {
    let storage: FaultyStorage
    let clock: ManualClock
    let windows: WindowList
    let restorer: SessionRestorer
    let seen = RecordingObserver()
    private let guardian = IsolationGuard()
    let log = InMemoryLogHandler()
    let metrics = TestMetrics()

    init(
        storage: FaultyStorage = FaultyStorage(), clock: ManualClock = ManualClock(),
        engine: some WebEngine = PageHistoryEngine(),
        policy: RestorationPolicy = RestorationPolicy()
    ) {
        self.storage = storage
        self.clock = clock
        windows = WindowList(webEngine: engine, now: { clock.timestamp })
        restorer = SessionRestorer(
            windows: windows, storage: storage, policy: policy, clock: clock,
            now: { clock.timestamp },
            logger: Logger(label: "test") { [log] _ in log }, metrics: metrics)
        restorer.addObserver(seen)
        restorer.addObserver(guardian)
    }

    /// A host that has restored.
    static func launched(
        storage: FaultyStorage = FaultyStorage(), engine: some WebEngine = PageHistoryEngine(),
        policy: RestorationPolicy = RestorationPolicy()
    ) async throws -> Host {
        let host = Host(storage: storage, engine: engine, policy: policy)
        try await host.restorer.restore()
        return host
    }

    /// Changes something, and waits until the save of it hangs.
    func hangSave(of change: () throws -> Void) async rethrows {
        storage.hang(.save)
        try change()
        clock.advance(by: restorer.policy.saveDelay)
        await storage.waitForHangingCalls()
    }

    /// A window with saved tabs of these titles; the last is active.
    func window(_ titles: String..., kind: SessionKind = .regular) async throws -> Window {
        let window = try windows.list(of: kind).open(.random(), kind: kind)
        for title in titles {
            let tab = Tab(url: "https://\(title).example/", title: title)
            try window.tabs.insert(tab, as: .active)
        }
        try await restorer.save()
        seen.reset()
        storage.forgetCalls()
        return window
    }

    /// Every place in which a profile keeps tabs has some, with titles that begin with `prefix`: closed
    /// alone and with their window, closed by a program, and by a "close all" that can be undone.
    @discardableResult
    func fillEveryPlace(_ prefix: String = "") async throws -> Window {
        let filled = try await window(prefix + "a", prefix + "b", prefix + "c")
        try filled.tabs.close(filled.tab(prefix + "b"))
        let closed = try await window(prefix + "d")
        try windows.close(closed)
        let emptied = try await window(prefix + "e", prefix + "f")
        emptied.tabs.closeAll(reason: .program)
        let undone = try await window(prefix + "g")
        try restorer.closeAll(in: undone)
        _ = try await window(prefix + "s", kind: .incognito)
        return filled
    }

    /// The process is killed, and another one opens the store. What was not saved is lost.
    func relaunched(
        policy: RestorationPolicy? = nil, engine: some WebEngine = PageHistoryEngine()
    ) async throws -> Host {
        let host = Host(
            storage: FaultyStorage(storage.base), clock: clock, engine: engine,
            policy: policy ?? restorer.policy)
        try await host.restorer.restore()
        return host
    }

    /// Moves the clock by the delay of saves, and waits for the save.
    func waitForDelayedSave(file: String = #fileID, line: Int = #line) async {
        let saves = seen.saves.count
        clock.advance(by: restorer.policy.saveDelay)
        await waitUntilIdle(file: file, line: line)
        expect(seen.saves.count > saves, "nothing was saved", file: file, line: line)
    }

    /// Waits until all that was going to happen has happened.
    func waitUntilIdle(file: String = #fileID, line: Int = #line) async {
        await restorer.waitUntilIdle()
        guard Task.isCancelled else { return }
        recordIssue(
            "the restorer never became idle; \(storageNow)", file: file, line: line)
    }

    /// What the store was asked for last, and what it does not answer.
    private var storageNow: String {
        let last = storage.calls.last.map { $0.operation.rawValue } ?? "nothing"
        let hanging = storage.hangingCalls.map(\.operation.rawValue)
        return "the store was asked for \(last) last, and hangs in \(hanging)"
    }

    /// What the store has of a session, without repairs or reading states.
    func stored(_ session: SessionID) async throws -> RestoredSession? {
        try await storage.base.restore(session, at: .current)
    }

    func storedTitles(_ window: Window) async throws -> [String] {
        try await stored(window.sessionID)?.tabs.map(\.title) ?? []
    }
}

/// Stops the tests if a restorer does anything elsewhere than in the isolation of its host.
private final class IsolationGuard: SessionRestorerObserver {
    func restorer(_ restorer: SessionRestorer, did event: RestorationEvent) {
        MainActor.preconditionIsolated("a restorer must work in the isolation of its host")
    }
}

extension FaultyStorage {
    /// What was saved of windows and tabs: the note of the launch is written when it is due.
    var savedSets: [SessionChanges] {
        savedChanges.filter { set in
            !set.changes.allSatisfy { change in
                if case .put(.session(let id, _)) = change {
                    id.kind.rawValue == "launch"
                } else {
                    false
                }
            }
        }
    }

    /// The next restorer cannot read the session, neither among others nor by itself.
    func failReading(_ session: SessionID, with error: StorageError) {
        fail(.restore, of: session, with: error, on: .first(2))
    }
}

extension RestorationPolicy {
    /// The usual policy but for a change.
    static func with(_ change: (inout RestorationPolicy) -> Void) -> RestorationPolicy {
        var policy = RestorationPolicy()
        change(&policy)
        return policy
    }
}

extension SaveHealth {
    /// Which of the cases it is.
    var name: String {
        switch self {
        case .healthy: "healthy"
        case .failing: "failing"
        case .stalled: "stalled"
        case .superseded: "superseded"
        }
    }
}

extension Window {
    var titles: [String] { tabs.tabs.map(\.title) }
    func tab(_ title: String) throws -> Tab {
        try require(tabs.tabs.first { $0.title == title })
    }

    /// A tab at the end that is not saved yet and went from one page to the next.
    @discardableResult
    func addUnsaved(_ title: String, then next: String) throws -> Tab {
        let tab = Tab(url: "https://\(title).example/", title: title)
        try tabs.insert(tab)
        tab.visit(next)
        return tab
    }
}

extension Tab {
    var pages: PageHistory? { page?.view as? PageHistory }

    /// The titles of its history, after it was realized.
    func visited() async throws -> [String] {
        try await forceRealization()
        return pages?.history.entries.map(\.title) ?? []
    }

    func visit(_ title: String) {
        pages?.navigate(to: NavigationEntry(url: "https://\(title).example/", title: title))
    }
}

extension StructureNode {
    /// Whether a node is the same but for its place.
    func isLike(_ other: StructureNode) -> Bool {
        var copy = self
        copy.place = other.place
        return copy == other
    }
}
