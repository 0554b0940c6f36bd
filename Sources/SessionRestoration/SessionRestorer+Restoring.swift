import BrowserModel
import BrowserSessions
import Logging

/// Which windows a restorer opens at launch.
public enum WindowsToRestore: Hashable, Sendable {
    /// All that were open when the process ended.
    case allThatWereOpen
    /// None: the host opens each by ``SessionRestorer/openWindow(_:)`` when the system asks for it.
    case none
}

extension SessionRestorer {
    /// Brings the windows back, once, and begins to save what changes.
    ///
    /// Only metadata is read, once for each session; the active tab of each window is realized, all
    /// others stay unrealized. Tabs that the host opened meanwhile come behind the restored ones and
    /// are saved then. A session that cannot be read is reported and stays in the store untouched.
    ///
    /// Throws if the store cannot even say what it has; nothing was changed then, and it may be
    /// tried again.
    ///
    /// - Parameters:
    ///   - selection: which windows are opened.
    ///   - isolation: where the profile's model lives; work after delays is done there.
    @discardableResult
    public func restore(
        _ selection: WindowsToRestore = .allThatWereOpen,
        isolation: isolated any Actor = #isolation
    ) async throws(SessionRestorationError) -> RestorationReport {
        guard phase == .created else { throw phase == .closed ? .closed : .alreadyRestored }
        phase = .restoring
        let start = ContinuousClock.now
        work.start(isolation: isolation)
        tell(.willRestore)
        do {
            let report = try await load(selection)
            phase = .running
            self.report = report
            let tabs = report.windows.reduce(0) { $0 + $1.tabs }
            metrics.restored(tabs: tabs, duration: ContinuousClock.now - start)
            logger.info(
                "restored", metadata: ["windows": "\(report.windows.count)", "tabs": "\(tabs)"])
            warnOfSetAside(report)
            tell(.didRestore(report))
            didRestore()
            return report
        } catch {
            if phase == .restoring { phase = .created }
            throw asRestorationError(error)
        }
    }

    /// Tabs that the user does not see are not lost, but only if somebody offers them back.
    private func warnOfSetAside(_ report: RestorationReport) {
        let waiting = report.setAside.filter { !$0.isAcknowledged }
        guard !waiting.isEmpty else { return }
        logger.warning(
            "tabs are set aside: offer them to the user",
            metadata: [
                "sessions": "\(waiting.count)",
                "tabs": "\(waiting.reduce(0) { $0 + $1.tabs })",
                "reasons": "\(Set(waiting.map(\.reason.rawValue)).sorted())",
            ])
    }

    private func load(_ selection: WindowsToRestore) async throws -> RestorationReport {
        var report = RestorationReport()
        report.launch = try await beginLaunch()
        report.droppedIncognitoTabs = try await dropIncognitoIfAsked()
        var found = try await readSessions(&report)
        if ledger.owesDeletion { giveUpIncognito(&found, report.unreadable) }
        try checkIsRestoring()
        try await setAsideIfAsked(&found, &report)
        try checkIsRestoring()
        closedTabs.load(found.removeValue(forKey: .recentlyClosed) ?? [])
        let travellers = [SessionKind.transit, .incognitoTransit]
            .flatMap { found.removeValue(forKey: $0) ?? [] }
        report.backups = found[.backup, default: []].filter { !$0.tabs.isEmpty }.map(\.id.window)
        note(found, report.unreadable)
        let incognito = found.values.joined().filter { $0.id.side == .incognito }
        isIncognitoInUse = isIncognitoInUse || !incognito.isEmpty
        unopenedIncognito = Set(incognito.filter { !$0.tabs.isEmpty }.map(\.id))
        let opened = selection == .allThatWereOpen ? openAll(toOpen(found), &report) : []
        for session in travellers { bringHome(session, &report) }
        if report.launch.decision == .restore {
            await realizeActiveTabs(of: opened, report.launch)
            try checkIsRestoring()
        }
        return report
    }

    /// What is to be deleted and could not be is nobody's any more.
    private func giveUpIncognito(
        _ found: inout [SessionKind: [RestoredSession]],
        _ unreadable: [RestorationReport.UnreadableSession]
    ) {
        let ids = found.values.joined().map(\.id) + unreadable.map(\.session)
        for id in ids where id.side == .incognito { ledger.incognito.remove(id) }
        found = found.filter { $0.key.side == .regular }
    }

    /// A restorer that was closed while it read opens nothing.
    private func checkIsRestoring() throws(SessionRestorationError) {
        guard phase == .restoring else { throw .closed }
    }

    private func openAll(
        _ sessions: [RestoredSession], _ report: inout RestorationReport
    ) -> [Window] {
        var opened: [Window] = []
        for side in StorageSide.allCases {
            let count = sessions.reduce(0) { $0 + ($1.id.side == side ? $1.tabs.count : 0) }
            ledger.side(side).reserve(count)
            windows.registry.reserve(count, offTheRecord: side == .incognito)
        }
        for session in sessions {
            do throws(WindowListError) {
                let (window, doubles) = try open(session)
                opened.append(window)
                report.duplicates += doubles
                report.windows.append(.init(session))
            } catch {
                logger.error("a stored window can't be opened", metadata: ["error": "\(error)"])
            }
        }
        return opened
    }

    /// Sessions of windows that were open when the process ended, in the order in which the windows
    /// were made. Inactive tabs and backups come with their window.
    private func toOpen(_ found: [SessionKind: [RestoredSession]]) -> [RestoredSession] {
        var found = found
        let openWindows = found.removeValue(forKey: .regular)?.filter {
            !$0.isClosed || windows.window($0.id.window) != nil
        }
        let ids = Set(openWindows?.map(\.id.window) ?? [])
        let companions = [SessionKind.inactive, .backup]
            .flatMap { found.removeValue(forKey: $0) ?? [] }
            .filter { ids.contains($0.id.window) && !$0.tabs.isEmpty }
        // Those of the off-the-record side, and of kinds that a host has made.
        let others = found.values.joined().filter { !$0.isClosed && !$0.tabs.isEmpty }
        return ((openWindows ?? []) + companions + others).sorted {
            ($0.attributes.createdAt, $0.id) < ($1.attributes.createdAt, $1.id)
        }
    }

    /// Tabs that were between two windows, the first of which is gone, come to the first window of their
    /// side; without one, regular ones are recently closed and others gone.
    private func bringHome(_ session: RestoredSession, _ report: inout RestorationReport) {
        let isOffTheRecord = session.id.side == .incognito
        let home = windows.windows.first {
            $0.isOffTheRecord == isOffTheRecord && !$0.isCompanion
        }
        for metadata in session.tabs {
            ledger.side(session.id.side).isStored(metadata.id, in: session.id)
            let tab = Tab(
                unrealized: metadata, state: states(of: session.id.side), engine: engine)
            if let home,
                (try? home.tabs.insert(tab, TabInsertion(isPinned: metadata.isPinned))) != nil
            {
                report.returned.append(metadata.id)
            } else if isOffTheRecord {
                ledger.incognito.close(metadata.id)
            } else if closedTabs[metadata.id] == nil {
                closedTabs.lost(metadata, from: session.id)
                report.returned.append(metadata.id)
            }
        }
        ledger.side(session.id.side).remove(session.id)
        unopenedIncognito.remove(session.id)
    }

    private func note(
        _ found: [SessionKind: [RestoredSession]],
        _ unreadable: [RestorationReport.UnreadableSession]
    ) {
        var stored: [StoredWindow] = []
        for session in found[.regular, default: []] {
            stored.append(
                StoredWindow(
                    id: session.id.window, closedAt: session.closedAt,
                    lastActiveAt: session.attributes.lastActiveAt, isReadable: true))
        }
        for session in unreadable.map(\.session) where session.kind == .regular {
            stored.append(
                StoredWindow(
                    id: session.window, closedAt: nil, lastActiveAt: .unknown, isReadable: false))
        }
        let answer = windows.ids.offer(stored)
        if !answer.isComplete { logger.error("the store names windows that can't be") }
    }

    /// Reads the metadata of all sessions, one read each.
    private func readSessions(_ report: inout RestorationReport) async throws(StorageError)
        -> [SessionKind: [RestoredSession]]
    {
        var found: [SessionKind: [RestoredSession]] = [:]
        for id in try await ledger.sessions() where id.kind != .launch {
            do throws(StorageError) {
                guard let session = try await ledger.restore(id) else { continue }
                found[id.kind, default: []].append(session)
            } catch {
                // That says nothing of this session.
                guard ![.unavailable, .closed, .fenced, .cancelled].contains(error.code) else {
                    throw error
                }
                logger.error("a session can't be read", metadata: ["error": "\(error)"])
                report.unreadable.append(.init(session: id, error: error))
            }
        }
        return found
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
            window.restore(session.attributes)
        } else {
            isOpening = true
            defer { isOpening = false }
            window = try windows.open(session.id, reservation)
            window.restore(session.attributes)
        }
        let tracker = trackers[session.id] ?? track(window)
        let side = ledger.side(session.id.side)
        let source = states(of: session.id.side)
        unopenedIncognito.remove(session.id)
        let tabs = session.tabs.indices.map {
            Tab(unrealized: $0, of: session.tabs, state: source, engine: engine)
        }
        let restore = {
            let restored = window.tabs.restore(
                tabs, groups: session.attributes.groups, active: session.attributes.activeTab)
            side.isStored(restored, in: session.id)
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

    /// A tab that is in two sessions stays where it was opened first. What the other copy shows is not
    /// dropped without a word: if it is another page, it becomes a tab of its own.
    private func separate(_ doubles: [TabMetadata], from window: Window) {
        logger.warning("tabs were saved twice", metadata: ["tabs": "\(doubles.count)"])
        keepOneOfEach(doubles)
        for double in doubles {
            let first = windows.windows.lazy.compactMap { $0.tabs.tab(double.id) }.first
            guard let first, first.url != double.url, !double.url.isEmpty else { continue }
            let history = NavigationHistory(
                url: double.url, title: double.title, time: double.lastActiveAt)
            let copy = createUnrealizedTab(
                double.with(id: .random()), state: TabState(history: history))
            _ = try? window.tabs.insert(copy, TabInsertion(isPinned: double.isPinned))
        }
    }

    func realizeActiveTab(of window: Window, _ launch: LaunchAssessment) async {
        guard window.tabs.realizesActiveTab, let tab = window.tabs.activeTab,
            !launch.suspects.contains(tab.id)
        else { return }
        do {
            try await tab.forceRealization()
        } catch {
            logger.error("the active tab can't be realized", metadata: ["error": "\(error)"])
        }
    }

    private func didRestore() {
        incognitoWindowEmptied()
        startStabilityTimer()
        tidyAfterRestoring()
        if !isSaved { ledger.somethingChanged() }
    }
}

extension RestorationReport.RestoredWindow {
    init(_ session: RestoredSession) {
        self.init(
            session: session.id, tabs: session.tabs.count, provenance: session.provenance,
            losses: session.losses, repairs: session.repairs)
    }
}

extension RestoredSession {
    /// When the window was closed; `nil` if it was open.
    var closedAt: Timestamp? {
        Timestamp(savedText: attributes.properties[SavedProperty.closedAt])
    }

    var isClosed: Bool { closedAt != nil }
}

extension TabMetadata {
    /// The same tab under another identifier, in no group and without an opener.
    fileprivate func with(id: TabID) -> TabMetadata {
        TabMetadata(
            id: id, place: place, url: url, title: title, faviconURL: faviconURL,
            createdAt: createdAt, lastActiveAt: lastActiveAt)
    }
}
