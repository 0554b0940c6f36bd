import BrowserModel
import BrowserSessions

/// Receives the reports of a tracker, in addition to what it saves.
protocol WindowTrackerDelegate: AnyObject {
    /// The window is tracked from now on.
    func windowIsTracked(_ window: Window)
    /// The window entered the foreground or the background.
    func windowChanged(_ window: Window, isInForeground: Bool)
    /// The window lost its last tab, outside of a batch or at the end of one.
    func windowWasEmptied(_ window: Window)
    /// A tab that was not in the model before entered the window.
    func tabCameIn(_ tab: Tab, _ window: Window)
    /// A closed tab is kept, and its page may have more to report.
    func tabWasKept(_ tab: Tab, as record: TabMetadata)
    /// A tab began or stopped loading a page.
    func tabLoads(_ tab: Tab, _ window: Window)
    /// The state of a tab's page has changed.
    func stateChanged(_ tab: Tab)
    /// A tab got its page, or entered with it.
    func tabWasRealized(_ tab: Tab)
    /// A tab's page was removed.
    func tabWasUnloaded(_ tab: Tab)
}

/// Observes one window and marks its changes for saving.
///
/// The rules follow Chromium's. A tab that enters is saved in its new place, with its state if that
/// was never saved. A move, a pin, a group or an opener changes the tab's record. Activation and
/// the appearance of groups and other nodes change the window's record and theirs. Becoming realized or unloaded changes
/// nothing, unless the page's state differs from the known one.
final class WindowTracker: TabListObserver, WindowObserver {
    let window: Window
    private let saves: SavedPartition
    private let detachedTabs: DetachedTabs
    /// Keeps the tabs that are closed; `nil` if they are removed.
    private let closedTabs: ClosedTabRecords?
    weak var delegate: (any WindowTrackerDelegate)?
    /// Whether tabs that the store already has are being put into the list.
    private var isRestoring = false
    private var isInBatch = false
    private var hasLostTabs = false
    private var hasLostNodes = false

    init(
        _ window: Window, saves: SavedPartition, detachedTabs: DetachedTabs,
        closedTabs: ClosedTabRecords?
    ) {
        self.window = window
        self.saves = saves
        self.detachedTabs = detachedTabs
        self.closedTabs = closedTabs
        window.addObserver(self)
        window.tabs.addObserver(self)
    }

    private var session: SessionID { window.sessionID }

    /// Marks everything in the window for saving.
    func markEverything() { saves.markEverything(of: window) }

    /// Runs work that puts tabs into the list that the store already has there.
    func whileRestoring<Answer>(_ work: () throws -> Answer) rethrows -> Answer {
        isRestoring = true
        defer { isRestoring = false }
        return try work()
    }

    func stop() {
        window.removeObserver(self)
        window.tabs.removeObserver(self)
    }

    func tabList(_ list: TabList, did change: TabListChange) {
        switch change {
        case .inserted(let tab, _): inserted(tab)
        case .restored(let tabs): for tab in tabs where !isRestoring { inserted(tab) }
        case .removed(let removal): removed(removal)
        case .replaced(let removal, let tab):
            saves.mark(.closed(removal.tab.id))
            inserted(tab)
        case .moved(let tab, _, _), .attributesChanged(let tab, _), .tab(let tab, .shown),
            .tab(let tab, .detailsChanged):
            saves.mark(.tab(tab.id, in: session))
        case .subtreeMoved(let node, _, _, _):
            let tab = list.tab(TabID(node))
            saves.mark(tab.map { .tab($0.id, in: session) } ?? .session(session))
        case .nodeChanged, .activated: if !isRestoring { saves.mark(.session(session)) }
        case .nodeEnded(let node):
            saves.mark(.session(session))
            closedTabs?.ended(node, in: window)
            hasLostNodes = true
        case .renumbered:
            saves.mark(.session(session))
            for tab in list.tabs { saves.mark(.tab(tab.id, in: session)) }
        case .tab(let tab, let event): heard(event, of: tab)
        case .batchBegan: isInBatch = true
        case .batchEnded:
            isInBatch = false
            lostTabs()
        }
    }

    func window(_ window: Window, did event: WindowEvent) {
        switch event {
        case .attributesChanged: saves.mark(.session(session))
        case .enteredBackground: delegate?.windowChanged(window, isInForeground: false)
        case .enteredForeground: delegate?.windowChanged(window, isInForeground: true)
        }
    }

    private func inserted(_ tab: Tab) {
        guard !isRestoring else { return }
        let isOnItsWay = detachedTabs.holds(tab)
        detachedTabs.ended(tab.id)
        if !isOnItsWay { delegate?.tabCameIn(tab, window) }
        saves.mark(.tab(tab.id, in: session, isStateNew: !isOnItsWay))
        // Events before the tab entered were not reported.
        if tab.isLoading { delegate?.tabLoads(tab, window) }
        if tab.isRealized { delegate?.tabWasRealized(tab) }
    }

    private func removed(_ removal: TabRemoval) {
        if removal.closing == nil {
            detachedTabs.left(removal, session)
        } else if let closedTabs {
            let kept = closedTabs.closed(removal, in: window)
            if let kept { delegate?.tabWasKept(removal.tab, as: kept) }
        } else {
            saves.mark(.closed(removal.tab.id))
        }
        hasLostTabs = true
        if !isInBatch { lostTabs() }
    }

    private func lostTabs() {
        if hasLostTabs || hasLostNodes { closedTabs?.batchEnded() }
        hasLostNodes = false
        guard hasLostTabs else { return }
        hasLostTabs = false
        if window.tabs.isEmpty { delegate?.windowWasEmptied(window) }
    }

    private func heard(_ event: TabEvent, of tab: Tab) {
        switch event {
        case .navigated, .stateChanged:
            saves.mark(.tab(tab.id, in: session, isStateNew: true))
            delegate?.stateChanged(tab)
        case .loadingChanged: delegate?.tabLoads(tab, window)
        case .realized:
            if tab.isLoading { delegate?.tabLoads(tab, window) }
            delegate?.tabWasRealized(tab)
        case .unloaded:
            saves.look(at: tab, in: session)
            delegate?.tabWasUnloaded(tab)
        case .shown, .detailsChanged, .realizationFailed, .closed: break
        }
    }
}
