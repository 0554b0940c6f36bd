import BrowserModel
import BrowserSessions

/// Watches each open window from its opening to its closing.
final class WindowKeeper {
    private let context: RestorerContext
    private let launch: Launch
    private let incognito: IncognitoTabs
    private let closedTabs: ClosedTabRecords
    private let suspicion: SuspicionRules
    private let unsettled: UnsettledPages
    private let realized: RealizedTabs
    private var trackers: [SessionID: WindowTracker] = [:]
    /// While a window is opened whose tabs the store has.
    private var isOpeningStored = false

    init(
        _ context: RestorerContext, _ launch: Launch, _ incognito: IncognitoTabs,
        _ closedTabs: ClosedTabRecords, _ suspicion: SuspicionRules, _ unsettled: UnsettledPages,
        _ realized: RealizedTabs
    ) {
        self.context = context
        self.launch = launch
        self.incognito = incognito
        self.closedTabs = closedTabs
        self.suspicion = suspicion
        self.unsettled = unsettled
        self.realized = realized
        for list in lists { list.addObserver(self) }
        for window in context.windows.windows { track(window)?.markEverything() }
    }

    private var lists: [WindowList] { [context.windows, context.windows.offTheRecord] }

    /// Watches nothing any more.
    func stop() {
        for list in lists { list.removeObserver(self) }
        for tracker in trackers.values { tracker.stop() }
        trackers = [:]
    }

    /// Everything that is open, or on its way from one window to another, is to be saved.
    func markEverything() {
        for tracker in trackers.values { tracker.markEverything() }
        for side in StorageSide.allCases {
            context.ledger.transit(side).markEverything()
        }
    }

    /// Opens a window that the store has: nothing of it waits to be saved by that.
    func openStored(_ id: SessionID, _ reservation: WindowReservation?) throws(WindowListError)
        -> Window
    {
        isOpeningStored = true
        defer { isOpeningStored = false }
        return try context.windows.open(id, reservation)
    }

    /// Whoever watches the window; `nil` once the restorer is closed.
    func tracker(of window: Window) -> WindowTracker? {
        trackers[window.sessionID] ?? track(window)
    }

    /// Saves what has changed in a window and stops to watch it.
    func disconnect(_ window: Window) async throws(SessionRestorationError) {
        guard let tracker = trackers.removeValue(forKey: window.sessionID) else { return }
        tracker.stop()
        context.ledger.side(window.kind.side).take(window.sessionID)
        try await context.save()
    }

    @discardableResult
    private func track(_ window: Window) -> WindowTracker? {
        guard ![.superseded, .closed].contains(context.phase) else { return nil }
        let side = window.kind.side
        let tracker = WindowTracker(
            window, context.ledger.side(side), context.ledger.transit(side),
            closings: window.isOffTheRecord ? CloseForGood() : suspicion)
        tracker.onBackground = { [weak self] in
            self?.context.ledger.schedule.saveSoon()
            self?.launch.foregroundChanged()
        }
        tracker.onStateChange = { [weak self] in self?.unsettled.changed($0) }
        tracker.onUnloaded = { [weak self] in self?.realized.wasUnloaded($0) }
        tracker.onRealized = { [weak self] _ in self?.realized.enforceLimit() }
        tracker.onForeground = { [weak self] in self?.launch.foregroundChanged() }
        if window.isOffTheRecord {
            tracker.onEmptied = { [weak self] in self?.incognito.emptied() }
            incognito.began()
        } else {
            tracker.onLoading = { [weak self] in self?.launch.loadingChanged($0) }
            tracker.onNewTab = { [weak self] in self?.closedTabs.cameIn($0) }
        }
        trackers[window.sessionID] = tracker
        return tracker
    }
}

extension WindowKeeper: WindowListObserver {
    func windowList(_ list: WindowList, did change: WindowListChange) {
        switch change {
        case .opened(let window): if !isOpeningStored { track(window)?.markEverything() }
        case .willClose(let window): willClose(window)
        case .closed(let window): closed(window)
        }
    }

    /// What has changed in the window is taken before it is gone, and saved at once. The window stays
    /// saved, marked as closed unless the app ends; an off-the-record one that the user closes does not.
    private func willClose(_ window: Window) {
        guard let tracker = trackers.removeValue(forKey: window.sessionID) else { return }
        tracker.stop()
        let (side, id) = (context.ledger.side(window.kind.side), window.sessionID)
        context.ledger.transit(window.kind.side).windowCloses(id)
        if window.isCompanion, window.tabs.isEmpty { return side.removeEmpty(id) }
        let appEnds = window.closing == .appEnds
        if window.isOffTheRecord, !appEnds {
            side.remove(id)
            incognito.opened(id)
        } else {
            side.take(id)
            for tab in window.tabs { unsettled.follow(tab, as: tab.metadata, in: id) }
            let isSaved = !side.isMuted && !window.tabs.isEmpty
            if window.isOffTheRecord, isSaved { incognito.wasKept(id) }
            if !appEnds { side.put(closedAttributes(of: window), for: id) }
        }
        context.ledger.schedule.saveSoon()
    }

    private func closedAttributes(of window: Window) -> SessionAttributes {
        var attributes = window.savedAttributes
        attributes.closedAt = context.now()
        if window.kind.role == .window {
            let mark = context.age.next()
            window.closingNumber = mark.value
            attributes.ageMark = mark
        }
        return attributes
    }

    private func closed(_ window: Window) {
        let companions = context.windows.windows(with: window.id)
            .filter { $0.isCompanion && $0.isOffTheRecord == window.isOffTheRecord }
        if [.regular, .incognito].contains(window.kind) {
            for companion in companions {
                try? context.windows.close(companion, window.closing ?? .byUser)
            }
        }
        if window.isOffTheRecord { return incognito.emptied() }
        if context.windows.isEmpty, window.closing == .byUser { launch.lastWindowClosed() }
    }
}

extension WindowList {
    /// The open window of a session, of either side.
    func window(_ session: SessionID) -> Window? {
        list(of: session.kind).window(session.window, session.kind)
    }

    func open(_ id: SessionID, _ reservation: WindowReservation?) throws(WindowListError) -> Window
    {
        if let reservation { return try open(reservation) }
        return try list(of: id.kind).open(id.window, kind: id.kind)
    }
}
