public import BrowserModel
public import BrowserSessions

extension SessionRestorer: WindowListObserver {
    public func windowList(_ list: WindowList, did change: WindowListChange) {
        switch change {
        case .opened(let window):
            if !isOpening { track(window)?.markEverything() }
        case .willClose(let window): willClose(window)
        case .closed(let window): closed(window)
        }
    }

    @discardableResult
    func track(_ window: Window) -> WindowTracker? {
        guard phase != .closed else { return nil }
        let rules: any ClosingRules = window.isOffTheRecord ? CloseForGood() : suspicion
        let side = window.kind.side
        let tracker = WindowTracker(
            window, ledger.side(side), ledger.transit(side), closings: rules)
        if window.isOffTheRecord {
            isIncognitoInUse = true
            beginOffTheRecord()
        }
        tracker.onBackground = { [weak self] in
            self?.ledger.saveSoon()
            self?.foregroundChanged()
        }
        tracker.onForeground = { [weak self] in self?.foregroundChanged() }
        if !window.isOffTheRecord {
            tracker.onLoading = { [weak self] in self?.loadingChanged($0) }
            tracker.onNewTab = { [weak self] in self?.closedTabs.reopened([$0.id]) }
        }
        tracker.onEmptied = { [weak self, weak window] in
            if window?.isOffTheRecord == true { self?.incognitoWindowEmptied() }
        }
        trackers[window.sessionID] = tracker
        return tracker
    }

    /// What has changed in the window is taken before it is gone, and saved at once. The window
    /// stays saved, marked as closed; an off-the-record one does not.
    private func willClose(_ window: Window) {
        guard let tracker = trackers.removeValue(forKey: window.sessionID) else { return }
        tracker.stop()
        let (side, id) = (ledger.side(window.kind.side), window.sessionID)
        if window.isCompanion, window.tabs.isEmpty { return side.remove(id) }
        ledger.transit(window.kind.side).windowCloses(id)
        if window.isOffTheRecord {
            side.remove(id)
        } else {
            side.take(id)
            var attributes = window.savedAttributes
            attributes.properties[SavedProperty.closedAt] = now().savedText
            side.put(attributes, for: id)
        }
        ledger.saveSoon()
    }

    private func closed(_ window: Window) {
        if window.isOffTheRecord { return incognitoWindowEmptied() }
        guard window.kind == .regular else { return }
        for kind in [SessionKind.inactive, .backup] {
            if let companion = windows.window(window.id, kind) { try? windows.close(companion) }
        }
    }

    /// Saves what has changed in a window and stops to watch it: what happens to it from now on is
    /// not saved. Use it before a window's tabs are taken apart without being closed.
    public func disconnect(_ window: Window) async throws(SessionRestorationError) {
        guard let tracker = trackers.removeValue(forKey: window.sessionID) else { return }
        tracker.stop()
        ledger.side(window.kind.side).take(window.sessionID)
        try await save()
    }
}

extension SessionKind {
    /// Tabs that were closed together and can still be brought back as they were; see
    /// ``SessionRestorer/closeAll(in:keepingPinned:)``.
    public static let backup = SessionKind(rawValue: "backup") ?? .recentlyClosed
}
