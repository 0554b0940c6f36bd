import BrowserModel
import BrowserSessions

/// The stateful components of one restorer, and their handling of events.
final class RestorerComponents {
    let context: RestorerContext
    let launch: Launch
    let incognito: IncognitoTabs
    let closedTabs: ClosedTabRecords
    let setAside: SetAsideRecords
    let unsavedPages: UnsavedPages
    let realized: RealizedTabs
    let trackers: WindowTrackers

    init(_ context: RestorerContext) {
        self.context = context
        launch = Launch(context)
        incognito = IncognitoTabs(context)
        closedTabs = ClosedTabRecords(context)
        setAside = SetAsideRecords(context)
        unsavedPages = UnsavedPages(context)
        realized = RealizedTabs(context, unsavedPages: unsavedPages)
        trackers = WindowTrackers(context, closedTabs: closedTabs)
        context.regularDetachedTabs.delegate = self
        context.incognitoDetachedTabs.delegate = self
        context.saves.delegate = self
        trackers.start(self)
    }

    /// Shows what sessions that are not open have: closed windows, and what was set aside.
    ///
    /// - Parameters:
    ///   - all: all sessions that could be read, with the companions of these.
    ///   - unreadable: the others.
    /// - Returns: the windows that cannot be, which are not shown.
    @discardableResult
    func show(
        _ sessions: [RestoredSession], among all: some Sequence<RestoredSession>,
        unreadable: [SessionID] = []
    ) -> [WindowID] {
        var hidden: [WindowID: Int?] = [:]
        for session in all
        where session.id.kind.role == .companion && !session.id.isIncognito {
            hidden[session.id.window] = (hidden[session.id.window] ?? 0).map {
                $0 + session.tabs.count
            }
        }
        for id in unreadable where id.kind.role == .companion { hidden[id.window] = .some(nil) }
        setAside.found(sessions.filter { $0.id.kind == .setAside })
        let readable = sessions.filter(\.id.kind.isReopenable).map { session in
            var window = StoredWindow(session, context.age)
            if session.id.kind == .regular, let tabs = hidden[session.id.window] {
                window.hiddenTabs = tabs
            }
            return window
        }
        let others = unreadable.filter(\.kind.isReopenable)
            .map { StoredWindow(id: $0.window, kind: $0.kind, isReadable: false) }
        context.savedItemsChanged()
        return context.windows.ids.offer(readable + others)
    }

    /// Continues with another store, which does not have anything that is open yet.
    func replaceStorage(_ storage: any SessionStorage) {
        context.saves.replaceStorage(with: storage)
        trackers.markEverything()
        closedTabs.saveAnew()
        context.saves.send(.saveSoonRequested)
        launch.note.writeAgain()
    }

    /// Saves everything, notes an orderly end of the process, and stops observing.
    func close() async throws(SessionRestorationError) {
        guard context.phase != .closed else { return }
        // Changes that would never be saved are not lost silently at the end.
        let end = context.age.now
        if !context.wasAskedToRestore, !context.saves.isClean { throw .notRestored }
        if context.phase == .running {
            try await context.save()
            try await SessionRestorationError.converting { try await launch.end(at: end) }
        } else if context.phase != .superseded {
            // What is still being restored opens nothing more.
            context.phase = .closed
            try? await launch.end(at: end)
        }
        context.saves.send(.stopped)
        launch.note.stop()
        context.phase = .closed
        trackers.stop()
    }
}

/// What works with the components of a restorer.
protocol RestorerPart {
    var components: RestorerComponents { get }
}

extension RestorerPart {
    var context: RestorerContext { components.context }
    var closedTabs: ClosedTabRecords { components.closedTabs }
    var incognito: IncognitoTabs { components.incognito }
}

extension RestorerComponents: SaveDelegate {
    func didSave() {
        setAside.discardOld()
        realized.letGoOfSavedStates()
    }

    func flushPages() async { await unsavedPages.flush() }

    func isReplaced() async -> Bool { await launch.note.isReplaced() }

    func superseded() {
        context.phase = .superseded
        launch.note.stop()
        trackers.stop()
    }

    func markIncognito() { incognito.markEverything() }

    func deletionChanged() { launch.note.writeSoon() }

    func deletionIsDue() async { await incognito.deleteIfEmpty() }

    func noteDeletion() async throws(StorageError) { try await launch.note.noteDeletion() }
}

extension RestorerComponents: DetachedTabsDelegate {
    func detachedTabWasLost(_ tab: TabMetadata, from session: SessionID) {
        if session.partition == .regular {
            closedTabs.lost(tab, from: session)
        } else {
            context.saves.incognito.mark(.closed(tab.id))
        }
    }

    func detachedTabEnded(in partition: StoragePartition) {
        if partition == .incognito { incognito.emptied() }
    }
}

extension RestorerComponents: WindowTrackerDelegate {
    func windowIsTracked(_ window: Window) { if window.isIncognito { incognito.began() } }

    func windowChanged(_ window: Window, isInForeground: Bool) {
        if !isInForeground { context.saves.send(.saveSoonRequested) }
        launch.foregroundChanged()
    }

    func windowWasEmptied(_ window: Window) { if window.isIncognito { incognito.emptied() } }

    func tabCameIn(_ tab: Tab, _ window: Window) {
        if !window.isIncognito { closedTabs.cameIn(tab) }
    }

    func tabWasKept(_ tab: Tab, as record: TabMetadata) {
        unsavedPages.follow(tab, as: record, in: ClosedTabRecords.session)
    }

    func tabLoads(_ tab: Tab, _ window: Window) {
        if !window.isIncognito { launch.loadingChanged(tab) }
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
            guard !trackers.isOpeningStored else { return context.savedItemsChanged() }
            trackers.track(window)?.markEverything()
        case .willClose(let window): willClose(window)
        case .closed(let window):
            closed(window)
            context.savedItemsChanged()
        }
    }

    /// Takes the window's changes before it is closed, and saves them immediately. The window stays saved,
    /// and is marked as closed unless the app ends. An incognito window that the user closes is removed.
    private func willClose(_ window: Window) {
        guard trackers.remove(window) else { return }
        let (saved, id) = (context.saves.partition(window.kind.partition), window.sessionID)
        context.detachedTabs(in: window.kind.partition).windowCloses(id)
        if window.isCompanion, window.tabs.isEmpty { return saved.mark(.removedEmpty(id)) }
        let appEnds = window.closing == .appEnds
        if window.isIncognito, !appEnds {
            saved.mark(.removed(id))
            incognito.opened(id)
        } else {
            saved.take(id)
            for tab in window.tabs { unsavedPages.follow(tab, as: tab.metadata, in: id) }
            let isSaved = !saved.pending.isMuted && !window.tabs.isEmpty
            if window.isIncognito, isSaved { incognito.wasKept(id) }
            if !appEnds {
                saved.mark(.content(closedAttributes(of: window), window.tabs.nodes, for: id))
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
            .filter { $0.isCompanion && $0.isIncognito == window.isIncognito }
        if [.regular, .incognito].contains(window.kind) {
            for companion in companions {
                try? context.windows.close(companion, reason: window.closing ?? .byUser)
            }
        }
        if window.isIncognito { return incognito.emptied() }
        if context.windows.isEmpty, window.closing == .byUser { launch.lastWindowClosed() }
    }
}
