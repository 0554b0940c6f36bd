import BrowserModel
import BrowserSessions
import Logging

/// Which windows a restorer opens at launch.
public enum WindowsToRestore: Hashable, Sendable {
    /// All that were open when the process ended.
    case allThatWereOpen
    /// None: the host opens each by ``SavedWindows/open(_:kind:)`` when the system asks for it.
    case none
}

/// Brings back, once, what the process before has left.
final class Restoration {
    let context: RestorerContext
    let launch: Launch
    private let incognito: IncognitoTabs
    private let setAside: SetAsideSessions
    let closedTabs: ClosedTabRecords
    private let inactive: InactiveTabs
    private let opener: WindowOpener

    /// Windows that were to be set aside and could not be: they stay closed until the host opens them.
    private var heldBack: Set<SessionID> = []

    /// The sessions that were read, by kind.
    typealias Found = [SessionKind: [RestoredSession]]

    var ledger: SessionLedger { context.ledger }

    init(
        _ context: RestorerContext, _ launch: Launch, _ incognito: IncognitoTabs,
        _ setAside: SetAsideSessions, _ closedTabs: ClosedTabRecords,
        _ inactive: InactiveTabs, _ opener: WindowOpener
    ) {
        self.context = context
        self.launch = launch
        self.incognito = incognito
        self.setAside = setAside
        self.closedTabs = closedTabs
        self.inactive = inactive
        self.opener = opener
    }

    /// From now on nobody else may restore.
    func begin() throws(SessionRestorationError) {
        switch context.phase {
        case .created: context.phase = .restoring
        case .restoring, .running: throw .alreadyRestored
        case .superseded: throw .superseded
        case .closed: throw .closed
        }
    }

    /// Reads every session once and opens those that are to be open. When it throws, it may be tried
    /// again.
    func restore(
        _ selection: WindowsToRestore
    ) async throws(SessionRestorationError) -> RestorationReport {
        let start = ContinuousClock.now
        do {
            var report = try await load(selection)
            context.phase = .running
            context.report = report
            complete(&report)
            context.report = report
            log(report, ContinuousClock.now - start)
            return report
        } catch {
            if context.phase == .restoring { context.phase = .created }
            throw SessionRestorationError(error)
        }
    }

    /// What is due when windows were restored, and belongs to the report.
    private func complete(_ report: inout RestorationReport) {
        let isOpen = { [context] in context.windows.registry.contains($0, offTheRecord: false) }
        context.keepOneOfEach(closedTabs.tabs.filter { isOpen($0.id) }.map(\.metadata))
        closedTabs.reopened(Set(closedTabs.tabs.map(\.id).filter(isOpen)))
        report.dropped = closedTabs.didRestore(isSuspicious: report.isSuspicious)
        report.newlyInactiveTabs = (try? inactive.moveUnused()) ?? 0
        report.inactiveTabs = context.windows.windows(of: .inactive).reduce(0) {
            $0 + $1.tabs.count
        }
    }

    /// What is due when everybody knows of it.
    func tidy() {
        incognito.emptied()
        launch.startStabilityTimer()
        if !ledger.isClean { ledger.schedule.somethingChanged() }
        weak let ledger = ledger
        context.work.enqueue {
            for side in StorageSide.allCases { ledger?.side(side).placeRestored() }
        }
    }

    private func log(_ report: RestorationReport, _ duration: Duration) {
        let tabs = (report.windows + report.companions).reduce(0) { $0 + $1.tabs }
        context.metrics.restored(tabs: tabs, duration: duration)
        context.logger.info(
            "restored", metadata: ["windows": "\(report.windows.count)", "tabs": "\(tabs)"])
        let waiting = report.setAside.filter { !$0.isAcknowledged }
        guard !waiting.isEmpty else { return }
        // Tabs that the user does not see are not lost, but only if somebody offers them back.
        context.logger.warning(
            "tabs are set aside: offer them to the user",
            metadata: [
                "sessions": "\(waiting.count)",
                "tabs": "\(waiting.reduce(0) { $0 + $1.tabs })",
                "reasons": "\(Set(waiting.map(\.reason.rawValue)).sorted())",
            ])
    }

    private func load(_ selection: WindowsToRestore) async throws -> RestorationReport {
        var report = RestorationReport()
        report.launch = try await launch.begin()
        report.droppedIncognitoTabs = try await incognito.dropIfAsked()
        var found = try await readSessions(&report)
        noteIncognito(&report)
        if ledger.debt.isOwed { giveUpIncognito(&found, report.unreadable) }
        try checkIsRestoring()
        try await setAsideIfAsked(&found, &report)
        try checkIsRestoring()
        closedTabs.load(found.removeValue(forKey: .recentlyClosed) ?? [])
        let travellers = [SessionKind.transit, .incognitoTransit]
            .flatMap { found.removeValue(forKey: $0) ?? [] }
        report.backups = found[.backup, default: []].filter { !$0.tabs.isEmpty }.map(\.id.window)
        if report.launch.decision == .restore {
            try await takeBackLastClosings(&found, &report)
            try checkIsRestoring()
            startAging(&found)
        }
        offer(found, report.unreadable)
        incognito.found(found.values.joined().filter { $0.id.side == .incognito })
        let opened = selection == .allThatWereOpen ? open(toOpen(found), &report) : []
        for session in travellers { bringHome(session, &report) }
        if report.launch.decision == .restore {
            await launch.realizeActiveTabs(of: opened)
            try checkIsRestoring()
        }
        return report
    }

    /// A restorer that was closed while it read opens nothing.
    private func checkIsRestoring() throws(SessionRestorationError) {
        guard context.phase == .restoring else { throw .closed }
    }

    // MARK: Reading

    /// Reads the metadata of all sessions as they are at one moment; if that fails, one by one.
    private func readSessions(_ report: inout RestorationReport) async throws(StorageError)
        -> Found
    {
        let ids = try await ledger.sessions().filter { $0.kind != .launch }
        guard !ids.isEmpty else { return [:] }
        do throws(StorageError) {
            return Dictionary(grouping: try await ledger.restore(ids), by: \.id.kind)
        } catch {
            try checkConcernsSession(error)
        }
        var found: Found = [:]
        for id in ids {
            do throws(StorageError) {
                guard let session = try await ledger.restore(id) else { continue }
                found[id.kind, default: []].append(session)
            } catch {
                try checkConcernsSession(error)
                context.logger.error("a session can't be read", metadata: ["error": "\(error)"])
                report.unreadable.append(.init(session: id, error: error))
            }
        }
        return found
    }

    /// Private windows that are in no list, because their side is not open or gone.
    private func noteIncognito(_ report: inout RestorationReport) {
        let traits = ledger.door.traits
        report.unreadableIncognito = traits.incognitoProblem
        report.lostIncognitoKey = traits.discardedIncognitoSides > 0
        guard let problem = traits.incognitoProblem else { return }
        context.logger.error("private windows can't be read", metadata: ["error": "\(problem)"])
    }

    /// Throws what says nothing of a session.
    private func checkConcernsSession(_ error: StorageError) throws(StorageError) {
        if [.unavailable, .closed, .fenced, .cancelled].contains(error.code) { throw error }
    }

    /// What is to be deleted and could not be is nobody's any more.
    private func giveUpIncognito(
        _ found: inout Found, _ unreadable: [RestorationReport.UnreadableSession]
    ) {
        let ids = found.values.joined().map(\.id) + unreadable.map(\.session)
        for id in ids where id.side == .incognito { ledger.incognito.remove(id) }
        found = found.filter { $0.key.side == .regular }
    }

    /// Takes windows out of the way if the launch was judged so.
    ///
    /// When the disk is full, the windows stay where they are and are not opened; the host may open
    /// them one by one, and the next launch judges anew.
    private func setAsideIfAsked(
        _ found: inout Found, _ report: inout RestorationReport
    ) async throws(StorageError) {
        setAside.found(found.removeValue(forKey: .setAside) ?? [])
        if case .setAside(let reason) = report.launch.decision {
            let leaving = windows(of: found).filter { !$0.isClosed && !$0.tabs.isEmpty }
            let ids = Set(leaving.map(\.id))
            do throws(StorageError) {
                try await setAside.setAside(leaving, reason)
                found = found.mapValues { $0.filter { !ids.contains($0.id) } }
            } catch {
                guard error.code == .outOfSpace else { throw error }
                context.logger.error(
                    "windows can't be set aside", metadata: ["error": "\(error)"])
                heldBack = ids
            }
        }
        report.setAside = setAside.sessions
    }

    /// The sessions that are regular windows.
    func windows(of found: Found) -> [RestoredSession] {
        found.filter { $0.key.isReopenable }.values.flatMap { $0 }
    }

    // MARK: Opening

    /// Sessions of windows that were open when the process ended, in the order in which the windows
    /// were made. Inactive tabs and backups come with their window.
    private func toOpen(_ found: Found) -> [RestoredSession] {
        let regular = windows(of: found).filter {
            !$0.isClosed && !heldBack.contains($0.id) || context.windows.window($0.id) != nil
        }
        let secret = found.values.joined().filter {
            $0.id.isOffTheRecord && $0.id.kind.role == .window && !$0.isClosed && !$0.tabs.isEmpty
        }
        let ids = Set(
            regular.filter { $0.id.kind == .regular }.map(\.id)
                + secret.filter { $0.id.kind == .incognito }.map(\.id))
        let companions = found.values.joined().filter { session in
            session.id.kind.role == .companion && !session.tabs.isEmpty
                && ids.contains(session.id.owner)
        }
        return (regular + secret + companions).sorted {
            ($0.attributes.createdAt, $0.id) < ($1.attributes.createdAt, $1.id)
        }
    }

    private func open(
        _ sessions: [RestoredSession], _ report: inout RestorationReport
    ) -> [Window] {
        var opened: [Window] = []
        opener.reserve(sessions)
        for session in sessions {
            do throws(WindowListError) {
                let (window, doubles) = try opener.open(session)
                opened.append(window)
                report.duplicates += doubles
                if session.id.kind.role == .window {
                    report.windows.append(.init(session))
                } else {
                    report.companions.append(.init(session))
                }
            } catch {
                context.logger.error(
                    "a stored window can't be opened", metadata: ["error": "\(error)"])
            }
        }
        return opened
    }

    /// Tabs that were between two windows, the first of which is gone, come to the first window of their
    /// side; without one, regular ones are recently closed and others gone.
    private func bringHome(_ session: RestoredSession, _ report: inout RestorationReport) {
        let side = session.id.side
        let isSecret = session.id.isOffTheRecord
        let windows = isSecret ? context.windows.offTheRecord : context.windows
        let home = windows.windows(of: isSecret ? .incognito : .regular).first ?? windows.first
        for metadata in session.tabs {
            ledger.side(side).isStored(metadata.id, in: session.id)
            let tab = context.tab(metadata, of: side)
            if let home,
                (try? home.tabs.insert(tab, TabInsertion(isPinned: metadata.isPinned))) != nil
            {
                report.returned.append(metadata.id)
            } else if side == .incognito {
                ledger.incognito.close(metadata.id)
            } else if closedTabs[metadata.id] == nil {
                closedTabs.lost(metadata, from: session.id)
                report.returned.append(metadata.id)
            }
        }
        ledger.side(side).removeEmpty(session.id)
        incognito.opened(session.id)
    }
}

extension SessionID {
    /// The window to which a companion with this identifier belongs.
    fileprivate var owner: SessionID {
        SessionID(window: window, kind: isOffTheRecord ? .incognito : .regular)
    }
}

extension RestorationReport.RestoredWindow {
    init(_ session: RestoredSession) {
        self.init(
            session: session.id, tabs: session.tabs.count, provenance: session.provenance,
            losses: session.losses, repairs: session.repairs)
    }
}

extension StoredWindow {
    init(_ session: RestoredSession, _ age: StoreAge) {
        let mark = session.attributes.ageMark
        self.init(
            id: session.id.window, kind: session.id.kind, closedAt: session.attributes.closedAt,
            closingNumber: age.knows(mark) ? mark?.value : nil,
            lastActiveAt: session.attributes.lastActiveAt, title: session.attributes.title,
            tabs: session.tabs.count, hiddenTabs: 0,
            shownTab: session.shownTab.map { TabGlance($0) })
    }
}

extension RestoredSession {
    var isClosed: Bool { attributes.closedAt != nil }
}
