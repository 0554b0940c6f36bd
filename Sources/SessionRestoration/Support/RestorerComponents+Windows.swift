import BrowserModel
import BrowserSessions

extension RestorerComponents: WindowTrackerDelegate {
    func windowIsTracked(_ window: Window) { if window.isOffTheRecord { incognito.began() } }

    func windowChanged(_ window: Window, isInForeground: Bool) {
        if !isInForeground { context.saves.send(.saveSoonRequested) }
        launch.foregroundChanged()
    }

    func windowWasEmptied(_ window: Window) { if window.isOffTheRecord { incognito.emptied() } }

    func tabCameIn(_ tab: Tab, _ window: Window) {
        if !window.isOffTheRecord { closedTabs.cameIn(tab) }
    }

    func tabWasKept(_ kept: KeptTab) {
        unsavedPages.follow(kept.tab, as: kept.metadata, in: kept.session)
    }

    func tabLoads(_ tab: Tab, _ window: Window) {
        if !window.isOffTheRecord { launch.loadingChanged(tab) }
    }

    func stateChanged(_ tab: Tab) { unsavedPages.changed(tab) }

    func tabWasRealized(_ tab: Tab) { realized.enforceLimit() }

    func tabWasUnloaded(_ tab: Tab) { realized.wasUnloaded(tab) }
}

extension RestorerComponents: WindowListObserver {
    func windowList(_ list: WindowList, did change: WindowListChange) {
        context.windowChanges += 1
        switch change {
        case .opened(let window):
            if !trackers.isOpeningStored { trackers.track(window)?.markEverything() }
        case .willClose(let window): willClose(window)
        case .closed(let window): closed(window)
        }
    }

    /// Takes the window's changes before it is closed, and saves them immediately. The window stays saved,
    /// and is marked as closed unless the app ends. An off-the-record window that the user closes is removed.
    private func willClose(_ window: Window) {
        guard trackers.remove(window) else { return }
        let (saved, id) = (context.saves.partition(window.kind.partition), window.sessionID)
        context.detachedTabs(in: window.kind.partition).windowCloses(id)
        if window.isCompanion, window.tabs.isEmpty { return saved.removeEmpty(id) }
        let appEnds = window.closing == .appEnds
        if window.isOffTheRecord, !appEnds {
            saved.remove(id)
            incognito.opened(id)
        } else {
            saved.take(id)
            for tab in window.tabs { unsavedPages.follow(tab, as: tab.metadata, in: id) }
            let isSaved = !saved.pending.isMuted && !window.tabs.isEmpty
            if window.isOffTheRecord, isSaved { incognito.wasKept(id) }
            if !appEnds {
                saved.put(closedAttributes(of: window), window.tabs.nodes, for: id)
            }
        }
        context.saves.send(.saveSoonRequested)
    }

    private func closedAttributes(of window: Window) -> SessionAttributes {
        var attributes = window.savedAttributes
        attributes.closedAt = context.clock.now
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
                try? context.windows.close(companion, reason: window.closing ?? .byUser)
            }
        }
        if window.isOffTheRecord { return incognito.emptied() }
        if context.windows.isEmpty, window.closing == .byUser { launch.lastWindowClosed() }
    }
}
