public import BrowserModel
public import BrowserSessions
public import SessionRestoration

/// Writes down what it hears, in the order in which it happens.
///
/// Add it to lists, tabs, windows and restorers; one for all of them shows the order between them.
/// Events of tabs that come through their list are not written down twice: add it to the list, or to
/// the tab.
///
/// What happens by itself, such as a delayed save, can be awaited:
///
/// ```swift
/// clock.advance(by: .seconds(2.5))
/// await seen.waitForSaves()
/// await seen.wait { $0.events.last == "closed" }
/// ```
///
/// It lives in the isolation of the host that it observes, and whoever waits is there, too.
public final class RecordingObserver {
    /// What was heard: `inserted`, `removed`, `realized`, `saved`, by the names of the events.
    public private(set) var events: [String] = []
    /// What the restorer told, whole.
    public private(set) var restorations: [RestorationEvent] = []
    private var waiters: [Waiter] = []

    /// A task that waits until its condition holds; it goes on when the signal is finished.
    private final class Waiter {
        let condition: (RecordingObserver) -> Bool
        let signal: AsyncStream<Never>.Continuation

        init(
            _ condition: @escaping (RecordingObserver) -> Bool,
            _ signal: AsyncStream<Never>.Continuation
        ) {
            self.condition = condition
            self.signal = signal
        }
    }

    public init() {}

    /// Forgets what was heard so far. Whoever waits goes on waiting, for what is heard from now on.
    public func reset() {
        events = []
        restorations = []
    }

    /// The saves that succeeded.
    public var saves: [SaveSummary] {
        restorations.compactMap { if case .saved(let summary) = $0 { summary } else { nil } }
    }

    /// The errors of saves that failed.
    public var failures: [StorageError] {
        restorations.compactMap { if case .saveFailed(let error) = $0 { error } else { nil } }
    }

    /// What went because a rule keeps it no longer.
    public var dropped: [DroppedItems] {
        restorations.compactMap { if case .dropped(let items) = $0 { items } else { nil } }
    }

    // MARK: - Waiting

    /// Returns once the condition holds; at once if it does already. It is looked at after each
    /// event.
    ///
    /// What the host does after the event may come later. If the waiting task is cancelled, as a
    /// test that ran out of time is, it returns at once.
    public func wait(until condition: @escaping (RecordingObserver) -> Bool) async {
        guard !condition(self) else { return }
        let (signals, signal) = AsyncStream<Never>.makeStream()
        let waiter = Waiter(condition, signal)
        waiters.append(waiter)
        for await _ in signals {}
        waiters.removeAll { $0 === waiter }
    }

    /// Returns once at least so many saves succeeded since the last ``reset()``; see
    /// ``wait(until:)``.
    public func waitForSaves(_ count: Int = 1) async { await wait { $0.saves.count >= count } }

    private func note(_ event: String) {
        events.append(event)
        for waiter in waiters where waiter.condition(self) { waiter.signal.finish() }
    }

    /// The name of an event: its case, without what it carries.
    private func name(_ event: Any) -> String {
        let mirror = Mirror(reflecting: event)
        return mirror.children.first?.label ?? "\(event)"
    }
}

extension RecordingObserver: TabListObserver {
    public func tabList(_ list: TabList, did change: TabListChange) {
        if case .tab(_, let event) = change {
            note("\(event)")
        } else {
            note(name(change))
        }
    }
}

extension RecordingObserver: TabObserver {
    public func tab(_ tab: Tab, did event: TabEvent) { note("\(event)") }
}

extension RecordingObserver: WindowObserver, WindowListObserver {
    public func window(_ window: Window, did event: WindowEvent) { note("\(event)") }

    public func windowList(_ list: WindowList, did change: WindowListChange) {
        note(name(change))
    }
}

extension RecordingObserver: SessionRestorerObserver {
    public func restorer(_ restorer: SessionRestorer, did event: RestorationEvent) {
        restorations.append(event)
        note(name(event))
    }
}
