public import BrowserModel
public import BrowserSessions
public import SessionRestoration

/// An observer that records events in the order in which they happen.
///
/// Add it to lists, tabs, windows and restorers; a single observer for all of them shows their
/// relative order. Add it either to a list or to its tabs, because the events of tabs also come
/// through their list.
///
/// Wait for what happens later, such as a delayed save:
///
/// ```swift
/// clock.advance(by: .seconds(2.5))
/// await seen.waitForSaves()
/// await seen.wait { $0.events.last == "closed" }
/// ```
///
/// The observer and the tasks that wait for it live in the isolation of the observed host.
public final class RecordingObserver {
    /// The names of the recorded events, such as `inserted`, `removed`, `realized` or `saved`.
    public private(set) var events: [String] = []
    /// The complete events of restorers.
    public private(set) var restorations: [RestorationEvent] = []
    private var waiters: [Waiter] = []

    /// A task that waits until its condition holds; it continues when the signal finishes.
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

    /// Creates an observer that has recorded nothing. It records after it was added.
    public init() {}

    /// Forgets all recorded events. Waiting tasks continue to wait for later events.
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

    /// The items that were dropped because a rule no longer keeps them.
    public var dropped: [DroppedItems] {
        restorations.compactMap { if case .dropped(let items) = $0 { items } else { nil } }
    }

    // MARK: - Waiting

    /// Returns when the condition holds; immediately if it already does. It is checked after each
    /// event.
    ///
    /// The host may respond to the event later. Returns immediately if the waiting task is
    /// canceled, such as when a test runs out of time.
    public func wait(until condition: @escaping (RecordingObserver) -> Bool) async {
        guard !condition(self) else { return }
        let (signals, signal) = AsyncStream<Never>.makeStream()
        let waiter = Waiter(condition, signal)
        waiters.append(waiter)
        for await _ in signals {}
        waiters.removeAll { $0 === waiter }
    }

    /// Returns when at least `count` saves succeeded since the last ``reset()``; see
    /// ``wait(until:)``.
    public func waitForSaves(_ count: Int = 1) async { await wait { $0.saves.count >= count } }

    private func note(_ event: String) {
        events.append(event)
        for waiter in waiters where waiter.condition(self) { waiter.signal.finish() }
    }

    /// Returns the name of an event: its case without associated values.
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
