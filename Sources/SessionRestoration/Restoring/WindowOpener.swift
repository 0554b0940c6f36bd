import BrowserModel
import BrowserSessions
import Logging

/// Opens windows with what the store has of them.
final class WindowOpener {
    private let context: RestorerContext
    private let keeper: WindowKeeper
    private let incognito: IncognitoTabs
    private let states: TabStateReader

    private var windows: WindowList { context.windows }

    init(
        _ context: RestorerContext, _ keeper: WindowKeeper, _ incognito: IncognitoTabs,
        _ states: TabStateReader
    ) {
        self.context = context
        self.keeper = keeper
        self.incognito = incognito
        self.states = states
    }

    // MARK: Reading

    /// What the store has of a window and of what belongs to it, with everything that waits to be saved.
    ///
    /// All of it or nothing: half a window that is open would hide the other half until the next launch.
    func readWindow(_ id: SessionID) async throws(StorageError) -> [RestoredSession] {
        while true {
            try await context.ledger.saveBeforeReading()
            let removals = context.ledger.removals
            let found = try await read([id]) + readCompanions(of: id)
            // What was removed while it was read does not come back.
            if removals == context.ledger.removals { return found }
        }
    }

    /// What is saved beside a regular window and is not open: what belongs to it, and its private tabs.
    func readCompanions(of id: SessionID) async throws(StorageError) -> [RestoredSession] {
        guard [.regular, .incognito].contains(id.kind) else { return [] }
        return try await read(
            context.ledger.sessions().filter { other in
                let belongs =
                    other.kind.role == .companion && other.isOffTheRecord == id.isOffTheRecord
                return other.window == id.window && windows.window(other) == nil
                    && (belongs || id.kind == .regular && other.kind == .incognito)
            })
    }

    private func read(_ ids: [SessionID]) async throws(StorageError) -> [RestoredSession] {
        var found: [RestoredSession] = []
        for id in ids {
            if let session = try await context.ledger.restore(id) { found.append(session) }
        }
        return found
    }

    // MARK: Opening

    /// Opens a window and what belongs to it, as it was read, or new.
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

    /// Puts a session's tabs, unrealized, into its window, which is opened if it is not open yet.
    ///
    /// Also returns the tabs that are in another window already.
    @discardableResult
    func open(_ session: RestoredSession, _ reservation: WindowReservation? = nil)
        throws(WindowListError) -> (window: Window, doubles: [TabID])
    {
        let existing = windows.window(session.id)
        let window: Window
        if let existing {
            window = existing
        } else {
            window = try keeper.openStored(session.id, reservation)
        }
        window.restore(session.attributes)
        let tracker = keeper.tracker(of: window)
        let side = context.ledger.side(session.id.side)
        let origin = TabOrigin(state: context.states(of: session.id.side), maker: context.pages)
        incognito.opened(session.id)
        let tabs = session.tabs.indices.map {
            Tab(unrealized: $0, of: session.tabs, origin: origin)
        }
        let restore = {
            let restored = window.tabs.restore(
                tabs, groups: session.attributes.groups, active: session.attributes.activeTab)
            let all = restored.count == tabs.count
            side.isStored(all ? session.tabs : restored.map(\.metadata), in: session.id)
            return restored.count
        }
        let count = tracker.map { $0.whileRestoring(restore) } ?? restore()
        // The list takes none that another one has.
        let doubles =
            count == tabs.count ? [] : tabs.filter { $0.list == nil }.map(\.metadata)
        if !doubles.isEmpty { separate(doubles, from: window) }
        if existing != nil || session.isClosed { side.mark(window) }
        // The next places are given beside those that were put right.
        if !session.repairs.isEmpty { tracker?.markEverything() }
        return (window, doubles.map(\.id))
    }

    /// Makes room for the tabs of sessions that are about to be opened.
    func reserve(_ sessions: [RestoredSession]) {
        for side in StorageSide.allCases {
            let count = sessions.reduce(0) { $0 + ($1.id.side == side ? $1.tabs.count : 0) }
            windows.registry.reserve(count, offTheRecord: side == .incognito)
        }
    }

    /// A tab that is in two sessions stays where it was opened first. What the other copy shows is not
    /// dropped without a word: if it is another page, it becomes a tab of its own.
    private func separate(_ doubles: [TabMetadata], from window: Window) {
        context.logger.warning("tabs were saved twice", metadata: ["tabs": "\(doubles.count)"])
        context.keepOneOfEach(doubles)
        for double in doubles {
            let first = windows.windows.lazy.compactMap { $0.tabs.tab(double.id) }.first
            guard let first, first.url != double.url, !double.url.isEmpty else { continue }
            let history = NavigationHistory(
                url: double.url, title: double.title, time: double.lastActiveAt)
            let copy = states.createUnrealizedTab(
                double.with(id: .random()), state: TabState(history: history))
            _ = try? window.tabs.insert(copy, TabInsertion(isPinned: double.isPinned))
        }
    }
}

extension TabMetadata {
    /// The same tab under another identifier, in no group and without an opener.
    fileprivate func with(id: TabID) -> TabMetadata {
        var tab = self
        (tab.id, tab.group, tab.opener, tab.isPinned) = (id, nil, nil, false)
        // Of its history only the page is left.
        tab.navigationItemCount = 1
        return tab
    }
}
