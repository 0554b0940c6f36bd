import BrowserModel
import BrowserSessions

/// Tracks each open window from its opening to its closing.
final class WindowTrackers {
    weak var delegate: (any WindowTrackerDelegate & WindowListObserver)?
    private let context: RestorerContext
    private let closedTabs: ClosedTabRecords
    private var trackers: [SessionID: WindowTracker] = [:]
    /// Whether a window is being opened with tabs that the store has.
    private(set) var isOpeningStored = false

    init(_ context: RestorerContext, closedTabs: ClosedTabRecords) {
        self.context = context
        self.closedTabs = closedTabs
    }

    /// Tracks the windows that are open, and those that will be opened.
    func start(_ delegate: any WindowTrackerDelegate & WindowListObserver) {
        self.delegate = delegate
        for list in lists { list.addObserver(delegate) }
        for window in context.windows.windows { track(window)?.markEverything() }
    }

    private var lists: [WindowList] { [context.windows, context.windows.incognito] }

    /// Stops tracking all windows.
    func stop() {
        if let delegate { for list in lists { list.removeObserver(delegate) } }
        for tracker in trackers.values { tracker.stop() }
        trackers = [:]
    }

    /// Marks everything that is open, or between two windows, for saving.
    func markEverything() {
        for session in trackers.keys.sorted() { trackers[session]?.markEverything() }
        for partition in StoragePartition.allCases {
            context.detachedTabs(in: partition).markEverything()
        }
    }

    /// Opens a window that the store has, without marking anything for saving.
    func openStored(
        _ id: SessionID, _ reservation: WindowReservation?
    ) throws(WindowListError) -> Window {
        isOpeningStored = true
        defer { isOpeningStored = false }
        return try context.windows.open(id, reservation)
    }

    /// Returns the tracker of a window; `nil` if the restorer is closed.
    func tracker(of window: Window) -> WindowTracker? {
        trackers[window.sessionID] ?? track(window)
    }

    /// Stops tracking a window.
    ///
    /// - Returns: whether it was tracked.
    func remove(_ window: Window) -> Bool {
        guard let tracker = trackers.removeValue(forKey: window.sessionID) else { return false }
        tracker.stop()
        return true
    }

    /// Saves the changes in a window and stops tracking it.
    func disconnect(_ window: Window) async throws(SessionRestorationError) {
        guard remove(window) else { return }
        context.saves.partition(window.kind.partition).take(window.sessionID)
        try await context.save()
    }

    /// Begins to track a window. Returns `nil` if the restorer is closed.
    @discardableResult
    func track(_ window: Window) -> WindowTracker? {
        guard ![.superseded, .closed].contains(context.phase) else { return nil }
        let partition = window.kind.partition
        let saves = context.saves.partition(partition)
        let tracker = WindowTracker(
            window, saves: saves, detachedTabs: context.detachedTabs(in: partition),
            closedTabs: window.isIncognito ? nil : closedTabs)
        tracker.delegate = delegate
        trackers[window.sessionID] = tracker
        delegate?.windowIsTracked(window)
        return tracker
    }
}

extension WindowList {
    /// Returns the open window of a session, of either partition.
    func window(_ session: SessionID) -> Window? {
        list(of: session.kind).window(session.window, kind: session.kind)
    }

    func open(_ id: SessionID, _ reservation: WindowReservation?) throws(WindowListError) -> Window
    {
        if let reservation { return try open(reservation) }
        return try list(of: id.kind).open(id.window, kind: id.kind)
    }
}
