import BrowserModel
import BrowserSessions
import Logging

/// Opens windows with their stored tabs.
struct WindowOpener: RestorerPart {
    let components: RestorerComponents

    private var trackers: WindowTrackers { components.trackers }
    private var windows: WindowList { components.context.windows }

    // MARK: Reading

    /// Reads a window and its companions from the store, including unsaved changes.
    ///
    /// Reads everything or throws, because half a window would hide the other half until the next launch.
    func readWindow(_ id: SessionID) async throws(StorageError) -> [RestoredSession] {
        while true {
            try await context.store.saveBeforeReading()
            let removals = context.store.removals
            let found = try await read([id]) + readCompanions(of: id)
            // Data that was removed while it was read does not come back.
            if removals == context.store.removals { return found }
        }
    }

    /// Reads the stored companions and private tabs of a regular window that are not open.
    func readCompanions(of id: SessionID) async throws(StorageError) -> [RestoredSession] {
        guard [.regular, .incognito].contains(id.kind) else { return [] }
        return try await read(
            context.store.sessions().filter { other in
                let belongs =
                    other.kind.role == .companion && other.isIncognito == id.isIncognito
                return other.window == id.window && windows.window(other) == nil
                    && (belongs || id.kind == .regular && other.kind == .incognito)
            })
    }

    private func read(_ ids: [SessionID]) async throws(StorageError) -> [RestoredSession] {
        var found: [RestoredSession] = []
        for id in ids {
            if let session = try await context.store.restore(id) { found.append(session) }
        }
        return found
    }

    // MARK: Opening

    /// Opens a window and its companions as they were read, or a new window.
    func open(
        _ stored: [RestoredSession], as id: SessionID, _ reservation: WindowReservation?
    ) throws(WindowListError) -> Window {
        let window: Window
        if let own = stored.first(where: { $0.id == id }) {
            window = try open(own, reservation).window
        } else {
            window = try windows.open(id, reservation)
            incognito.opened(id)
        }
        for session in stored where session.id != id && !session.tabs.isEmpty {
            guard windows.window(session.id) == nil else { continue }
            try open(session)
        }
        return window
    }

    /// Puts a session's tabs, unrealized, into its window, and opens the window if needed.
    ///
    /// Also returns the tabs that are already in another window.
    @discardableResult
    func open(_ session: RestoredSession, _ reservation: WindowReservation? = nil)
        throws(WindowListError) -> (window: Window, doubles: [TabID])
    {
        let (window, isNew) = try window(for: session, reservation)
        let tracker = trackers.tracker(of: window)
        let saved = context.saves.partition(session.id.partition)
        let origin = TabOrigin(state: context.states(of: session.id.partition))
        incognito.opened(session.id)
        let tabs = session.tabs.indices.map {
            Tab(unrealized: $0, of: session.tabs, origin: origin)
        }
        let restore = {
            let restored = window.tabs.restore(
                tabs, nodes: session.nodes, active: session.attributes.activeTab, isSound: true)
            let all = restored.tabs.count == tabs.count
            let stored = all ? session.tabs : restored.tabs.map(\.metadata)
            saved.mark(.stored(stored, session.nodes, in: session.id))
            return (count: restored.tabs.count, isAsSaved: restored.isAsSaved)
        }
        let (count, isAsSaved) = tracker.map { $0.whileRestoring(restore) } ?? restore()
        // The list refuses tabs that are in another list.
        let doubles =
            count == tabs.count ? [] : tabs.filter { $0.list == nil }.map(\.metadata)
        if !doubles.isEmpty { separate(doubles, from: window) }
        let isChanged =
            !isNew || session.isClosed
            || !isAsSaved && window.tabs.nodes != session.nodes
        if isChanged { saved.mark(.session(window.sessionID)) }
        // New places are then next to the repaired ones.
        if !session.repairs.isEmpty || window.sessionID != session.id { tracker?.markEverything() }
        if window.sessionID != session.id { saved.mark(.removedEmpty(session.id)) }
        return (window, doubles.map(\.id))
    }

    private func window(
        for session: RestoredSession, _ reservation: WindowReservation?
    ) throws(WindowListError) -> (window: Window, isNew: Bool) {
        let existing = windows.window(session.id.open)
        let window: Window
        if let existing {
            window = existing
        } else {
            window = try trackers.openStored(session.id.open, reservation)
        }
        if window.sessionID == session.id { window.restore(session.attributes) }
        return (window, existing == nil)
    }

    /// Reserves capacity for the tabs of sessions that are about to be opened.
    func reserve(_ sessions: [RestoredSession]) {
        for partition in StoragePartition.allCases {
            let count = sessions.reduce(0) {
                $0 + ($1.id.partition == partition ? $1.tabs.count : 0)
            }
            windows.registry[partition].reserve(count)
        }
    }

    /// Keeps tabs of two sessions where they were opened first. If the other copy shows another
    /// page, it is not dropped but becomes a separate tab.
    private func separate(_ doubles: [TabMetadata], from window: Window) {
        context.logger.warning("tabs were saved twice", metadata: ["tabs": "\(doubles.count)"])
        context.keepOneOfEach(doubles)
        for double in doubles {
            let first = windows.windows.lazy.compactMap { $0.tabs.tab(double.id) }.first
            guard let first, first.url != double.url, !double.url.isEmpty else { continue }
            let history = NavigationHistory(
                url: double.url, title: double.title, time: double.lastActiveAt)
            let copy = TabStateReader(components: components).createUnrealizedTab(
                double.with(id: .random()), state: TabState(history: history))
            _ = try? window.tabs.insert(copy, as: TabInsertion(isPinned: double.isPinned))
        }
    }
}

extension RestorerPart {
    var opener: WindowOpener { WindowOpener(components: components) }
}

extension SessionID {
    /// The session that a stored one is opened as: a profile has one library, whatever was imported.
    fileprivate var open: SessionID {
        kind.role == .library ? SessionID(window: .profileWide, kind: kind) : self
    }
}

extension TabMetadata {
    /// Returns the tab with another identifier, without group and opener.
    fileprivate func with(id: TabID) -> TabMetadata {
        var tab = self
        (tab.id, tab.group, tab.opener, tab.zone) = (id, nil, nil, .normal)
        // Only the page is left of its history.
        tab.navigationItemCount = 1
        return tab
    }
}
