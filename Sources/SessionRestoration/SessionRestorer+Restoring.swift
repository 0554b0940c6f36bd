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
        tell(.willRestore)
        do throws(StorageError) {
            let report = try await load(selection)
            work.start(isolation: isolation)
            phase = .running
            self.report = report
            let tabs = report.windows.reduce(0) { $0 + $1.tabs }
            metrics.restored(tabs: tabs, duration: ContinuousClock.now - start)
            logger.info(
                "restored", metadata: ["windows": "\(report.windows.count)", "tabs": "\(tabs)"])
            tell(.didRestore(report))
            didRestore()
            return report
        } catch {
            phase = .created
            throw .storage(error)
        }
    }

    private func load(_ selection: WindowsToRestore) async throws(StorageError)
        -> RestorationReport
    {
        var report = RestorationReport()
        report.launch = try await beginLaunch()
        report.droppedIncognitoTabs = try await dropIncognitoIfAsked()
        var found = try await readSessions(&report)
        try await setAsideIfAsked(&found, &report)
        closedTabs.load(found.removeValue(forKey: .recentlyClosed) ?? [])
        report.backups = found[.backup, default: []].filter { !$0.tabs.isEmpty }.map(\.id.window)
        note(found, report.unreadable)
        isIncognitoInUse = isIncognitoInUse || found[.incognito] != nil
        unopenedIncognito = Set(
            found[.incognito, default: []].filter { !$0.tabs.isEmpty }.map(\.id))
        guard selection == .allThatWereOpen else { return report }
        var opened: [Window] = []
        for session in toOpen(found) {
            do throws(WindowListError) {
                opened.append(try open(session))
                report.windows.append(.init(session))
            } catch {
                logger.error("a stored window can't be opened", metadata: ["error": "\(error)"])
            }
        }
        if report.launch.decision == .restore {
            await realizeActiveTabs(of: opened, report.launch)
        }
        return report
    }

    /// Sessions of windows that were open when the process ended, in the order in which the windows
    /// were made. Inactive tabs and backups come with their window.
    private func toOpen(_ found: [SessionKind: [RestoredSession]]) -> [RestoredSession] {
        let openWindows = found[.regular, default: []].filter {
            !$0.isClosed || windows.window($0.id.window) != nil
        }
        let ids = Set(openWindows.map(\.id.window))
        let companions = [SessionKind.inactive, .backup].flatMap { found[$0, default: []] }
            .filter { ids.contains($0.id.window) && !$0.tabs.isEmpty }
        let incognito = found[.incognito, default: []].filter { !$0.tabs.isEmpty }
        return (openWindows + companions + incognito).sorted {
            ($0.attributes.createdAt, $0.id) < ($1.attributes.createdAt, $1.id)
        }
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
        for id in try await storage.current.sessions() where id.kind != .launch {
            do throws(StorageError) {
                guard let session = try await storage.current.restore(id) else { continue }
                found[id.kind, default: []].append(session)
            } catch {
                logger.error("a session can't be read", metadata: ["error": "\(error)"])
                report.unreadable.append(.init(session: id, error: error))
            }
        }
        return found
    }

    /// Puts a session's tabs, unrealized, into its window, which is opened if it is not open yet.
    @discardableResult
    func open(_ session: RestoredSession, _ reservation: WindowReservation? = nil)
        throws(WindowListError) -> Window
    {
        let existing = windows.window(session.id.window, session.id.kind)
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
        let saver = saver(of: session.id.side)
        let source = StoredTabStates(storage, saver, work, extra: policy.extraStates)
        let tabs = session.tabs.map { Tab(unrealized: $0, state: source, engine: engine) }
        for tab in session.tabs { saver.isStored(tab.id, in: session.id) }
        unopenedIncognito.remove(session.id)
        let restore = {
            window.tabs.restore(
                tabs, groups: session.attributes.groups, active: session.attributes.activeTab)
        }
        let restored = tracker?.whileRestoring(restore) ?? restore()
        if restored.count < tabs.count { keepOneOfEach(session.tabs) }
        if existing != nil || session.isClosed { saver.mark(window) }
        return window
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
        if !isSaved { somethingChanged() }
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
