import BrowserModel
import BrowserSessions

/// Notices what has to be saved of one window.
///
/// Rules, after Chromium's: a tab that comes in is saved where it is now, with its state if it was
/// never saved; a move, a pin, a group or an opener changes the tab's own record; activation and the
/// looks of groups change the window's; becoming realized changes nothing, nor does being unloaded, unless
/// the page's state is another than was known.
final class WindowTracker: TabListObserver, WindowObserver {
    let window: Window
    private let ledger: SideLedger
    private let transit: TabsInTransit
    private let closings: any ClosingRules
    /// Told when the window lost its last tab, outside of a batch or at the end of one.
    var onEmptied: () -> Void = {}
    var onBackground: () -> Void = {}
    var onForeground: () -> Void = {}
    var onLoading: (Tab) -> Void = { _ in }
    /// Told when the state of a tab's page has changed.
    var onStateChange: (Tab) -> Void = { _ in }
    /// Told when a tab has got its page, or came in with it.
    var onRealized: (Tab) -> Void = { _ in }
    /// Told when a tab's page was taken away.
    var onUnloaded: (Tab) -> Void = { _ in }
    /// Told of a tab that came in and is not one that was here before.
    var onNewTab: (Tab) -> Void = { _ in }
    /// While tabs that the store already has are put into the list.
    private var isRestoring = false
    private var isInBatch = false
    private var hasLostTabs = false

    init(
        _ window: Window, _ ledger: SideLedger, _ transit: TabsInTransit,
        closings: any ClosingRules
    ) {
        self.window = window
        self.ledger = ledger
        self.transit = transit
        self.closings = closings
        window.addObserver(self)
        window.tabs.addObserver(self)
    }

    private var session: SessionID { window.sessionID }

    /// Marks all that is there already.
    func markEverything() { ledger.markEverything(of: window) }

    /// Runs work that puts tabs into the list which the store has there already.
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
            ledger.close(removal.tab.id)
            inserted(tab)
        case .moved(let tab, _, _): ledger.mark(tab, in: session, state: false)
        case .attributesChanged(let tab, _): ledger.mark(tab, in: session, state: false)
        case .groupChanged, .activated: if !isRestoring { ledger.mark(window) }
        case .renumbered:
            for tab in list.tabs { ledger.mark(tab, in: session, state: false) }
        case .tab(let tab, let event): heard(event, of: tab)
        case .batchBegan: isInBatch = true
        case .batchEnded:
            isInBatch = false
            lostTabs()
        }
    }

    func window(_ window: Window, did event: WindowEvent) {
        switch event {
        case .attributesChanged: ledger.mark(window)
        case .enteredBackground: onBackground()
        case .enteredForeground: onForeground()
        }
    }

    private func inserted(_ tab: Tab) {
        guard !isRestoring else { return }
        let isOnItsWay = transit.holds(tab)
        transit.ended(tab.id)
        if !isOnItsWay { onNewTab(tab) }
        ledger.mark(tab, in: session, state: !isOnItsWay)
        // What the tab did before it came is told to nobody.
        if tab.isLoading { onLoading(tab) }
        if tab.isRealized { onRealized(tab) }
    }

    private func removed(_ removal: TabRemoval) {
        if removal.closing == nil {
            transit.left(removal, session)
        } else {
            closings.closed(removal, in: window, ledger)
        }
        hasLostTabs = true
        if !isInBatch { lostTabs() }
    }

    private func lostTabs() {
        guard hasLostTabs else { return }
        hasLostTabs = false
        closings.batchEnded()
        if window.tabs.isEmpty { onEmptied() }
    }

    private func heard(_ event: TabEvent, of tab: Tab) {
        switch event {
        case .shown, .detailsChanged: ledger.mark(tab, in: session, state: false)
        case .navigated, .stateChanged:
            ledger.mark(tab, in: session, state: true)
            onStateChange(tab)
        case .loadingChanged: onLoading(tab)
        case .realized:
            if tab.isLoading { onLoading(tab) }
            onRealized(tab)
        case .unloaded:
            ledger.lookAgain(at: tab, in: session)
            onUnloaded(tab)
        case .realizationFailed, .closed: break
        }
    }
}
