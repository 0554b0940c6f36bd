public import BrowserModel
public import BrowserSessions
public import SessionRestoration

/// Writes down what it hears, in the order in which it happens.
///
/// Add it to lists, tabs, windows and restorers; one for all of them shows the order between them.
/// Events of tabs that come through their list are not written down twice: add it to the list, or to
/// the tab.
public final class RecordingObserver {
    /// What was heard: `inserted`, `removed`, `realized`, `saved`, by the names of the events.
    public private(set) var events: [String] = []
    /// What the restorer told, whole.
    public private(set) var restorations: [RestorationEvent] = []

    public init() {}

    /// Forgets what was heard so far.
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

    /// The name of an event: its case, without what it carries.
    private func name(_ event: Any) -> String {
        let mirror = Mirror(reflecting: event)
        return mirror.children.first?.label ?? "\(event)"
    }
}

extension RecordingObserver: TabListObserver {
    public func tabList(_ list: TabList, did change: TabListChange) {
        if case .tab(_, let event) = change {
            events.append("\(event)")
        } else {
            events.append(name(change))
        }
    }
}

extension RecordingObserver: TabObserver {
    public func tab(_ tab: Tab, did event: TabEvent) { events.append("\(event)") }
}

extension RecordingObserver: WindowObserver, WindowListObserver {
    public func window(_ window: Window, did event: WindowEvent) { events.append("\(event)") }

    public func windowList(_ list: WindowList, did change: WindowListChange) {
        events.append(name(change))
    }
}

extension RecordingObserver: SessionRestorerObserver {
    public func restorer(_ restorer: SessionRestorer, did event: RestorationEvent) {
        restorations.append(event)
        events.append(name(event))
    }
}
