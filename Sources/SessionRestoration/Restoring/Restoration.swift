import BrowserModel
import BrowserSessions
import Logging

/// The windows that a restorer opens at launch.
public enum WindowsToRestore: Hashable, Sendable {
    /// All windows that were open when the process ended.
    case allThatWereOpen
    /// No windows. The host opens each with ``SavedWindows/open(_:kind:)`` when the system asks for it.
    case none
}

/// Restores, once, what the previous process saved.
final class Restoration: RestorerPart {
    let components: RestorerComponents
    /// The windows that could not be set aside. They stay closed until the host opens them.
    private(set) var heldBack: Set<SessionID> = []

    /// The sessions that were read, by kind.
    typealias Found = [SessionKind: [RestoredSession]]

    var saves: SaveDriver { context.saves }
    var launch: Launch { components.launch }
    private var setAside: SetAsideRecords { components.setAside }
    private var inactive: InactiveTabs { InactiveTabs(context) }

    init(_ components: RestorerComponents) { self.components = components }

    /// Begins restoring, which can happen only once.
    func begin() throws(SessionRestorationError) {
        switch context.phase {
        case .created: context.phase = .restoring
        case .restoring, .running: throw .alreadyRestored
        case .superseded: throw .superseded
        case .closed: throw .closed
        }
    }

    /// Reads every session once, and opens those that should be open. Can be retried if it throws.
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

    /// Completes the steps after opening that contribute to the report.
    private func complete(_ report: inout RestorationReport) {
        let isOpen = { [context] in context.windows.registry[.regular].tab($0) != nil }
        context.keepOneOfEach(closedTabs.tabs.filter { isOpen($0.id) }.map(\.metadata))
        closedTabs.reopened(Set(closedTabs.tabs.map(\.id).filter(isOpen)))
        report.dropped = closedTabs.didRestore(isSuspicious: report.isSuspicious)
        report.newlyInactiveTabs = (try? inactive.moveUnused()) ?? 0
        report.inactiveTabs = context.windows.windows(of: .inactive).reduce(0) {
            $0 + $1.tabs.count
        }
    }

    /// Completes the steps that follow after observers were notified.
    func tidy() {
        incognito.emptied()
        launch.startStabilityTimer()
        weak let saves = saves
        context.work.enqueue { saves?.indexStored() }
    }

    private func log(_ report: RestorationReport, _ duration: Duration) {
        let tabs = (report.windows + report.companions + report.libraries).reduce(0) {
            $0 + $1.tabs
        }
        context.metrics.restored(tabs: tabs, duration: duration)
        context.logger.info(
            "restored", metadata: ["windows": "\(report.windows.count)", "tabs": "\(tabs)"])
        let waiting = report.setAside.filter { !$0.isAcknowledged }
        guard !waiting.isEmpty else { return }
        // Tabs that the user does not see are not lost, but only if the host offers them.
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
        if saves.isDeletionPending { giveUpIncognito(&found, report.unreadable) }
        try checkIsRestoring()
        try await setAsideIfAsked(&found, &report)
        try checkIsRestoring()
        closedTabs.load(found.removeValue(forKey: .recentlyClosed) ?? [])
        let detached = [SessionKind.transit, .incognitoTransit]
            .flatMap { found.removeValue(forKey: $0) ?? [] }
        report.backups = found[.backup, default: []].filter { !$0.tabs.isEmpty }.map(\.id.window)
        if report.launch.decision == .restore {
            try await takeBackLastClosings(&found, &report)
            try checkIsRestoring()
            startAging(&found)
        }
        let omitted = components.show(
            windows(of: found), among: found.values.joined(),
            unreadable: report.unreadable.map(\.session))
        if !omitted.isEmpty { context.logger.error("the store names windows that can't be") }
        incognito.found(found.values.joined().filter { $0.id.partition == .incognito })
        let windows = selection == .allThatWereOpen ? toOpen(found) : []
        let opened = open(libraries(found, beside: windows) + windows, &report)
        for session in detached { returnDetachedTabs(session, &report) }
        if report.launch.decision == .restore {
            await launch.realizeActiveTabs(of: opened)
            try checkIsRestoring()
        }
        report.pointsBeforeLoss = await pointsBeforeLoss()
        try checkIsRestoring()
        return report
    }

    /// Returns the points that keep what was lost; `[]` if they cannot be read, since the windows can.
    private func pointsBeforeLoss() async -> [RestorePoint] {
        guard saves.traits.keepsRestorePoints else { return [] }
        do throws(StorageError) {
            return try await saves.store.call { try await $0.restorePoints() }
                .filter(\.isBeforeLoss)
        } catch {
            context.logger.error(
                "the restore points can't be read", metadata: ["error": "\(error)"])
            return []
        }
    }

    /// Throws if the restorer was closed while it read; it then opens nothing.
    private func checkIsRestoring() throws(SessionRestorationError) {
        guard context.phase == .restoring else { throw .closed }
    }

    // MARK: Reading

    /// Reads the metadata of all sessions as they are at one moment; if that fails, one by one.
    private func readSessions(_ report: inout RestorationReport) async throws(StorageError)
        -> Found
    {
        let ids = try await saves.store.sessions().filter { $0.kind != .launch }
        guard !ids.isEmpty else { return [:] }
        do throws(StorageError) {
            let sessions = try await saves.store.call { try await $0.restore(ids) }
            return Dictionary(grouping: sessions, by: \.id.kind)
        } catch {
            try checkConcernsSession(error)
        }
        var found: Found = [:]
        for id in ids {
            do throws(StorageError) {
                guard let session = try await saves.store.restore(id) else { continue }
                found[id.kind, default: []].append(session)
            } catch {
                try checkConcernsSession(error)
                context.logger.error("a session can't be read", metadata: ["error": "\(error)"])
                report.unreadable.append(.init(session: id, error: error))
            }
        }
        return found
    }

    /// Reports private windows that are missing, because their partition cannot be opened or was discarded.
    private func noteIncognito(_ report: inout RestorationReport) {
        let traits = saves.traits
        report.unreadableIncognito = traits.incognitoProblem
        report.lostIncognitoKey = traits.discardedIncognitoPartitions > 0
        guard let problem = traits.incognitoProblem else { return }
        context.logger.error("private windows can't be read", metadata: ["error": "\(problem)"])
    }

    /// Rethrows an error that does not concern a single session.
    private func checkConcernsSession(_ error: StorageError) throws(StorageError) {
        if [.unavailable, .closed, .fenced, .cancelled].contains(error.code) { throw error }
    }

    /// Gives up private sessions with a deletion that is pending and could not be completed.
    private func giveUpIncognito(
        _ found: inout Found, _ unreadable: [RestorationReport.UnreadableSession]
    ) {
        let ids = found.values.joined().map(\.id) + unreadable.map(\.session)
        for id in ids where id.partition == .incognito { saves.incognito.mark(.removed(id)) }
        found = found.filter { $0.key.partition == .regular }
    }

    /// Sets windows aside if the launch assessment requires it.
    ///
    /// If the disk is full, the windows stay where they are and are not opened. The host can open
    /// them one by one, and the next launch is assessed again.
    private func setAsideIfAsked(
        _ found: inout Found, _ report: inout RestorationReport
    ) async throws(StorageError) {
        setAside.found(found.removeValue(forKey: .setAside) ?? [])
        if case .setAside(let reason) = report.launch.decision {
            let libraries = found[.library, default: []].filter { !$0.tabs.isEmpty }
            let leaving = libraries + windows(of: found).filter { !$0.isClosed && !$0.tabs.isEmpty }
            let ids = Set(leaving.map(\.id))
            do throws(StorageError) {
                try await setAside.setAside(leaving, reason)
                found = found.mapValues { sessions in
                    sessions.compactMap { session in
                        guard ids.contains(session.id) else { return session }
                        return session.id.kind.role == .library ? session.withoutTabs : nil
                    }
                }
            } catch {
                guard error.code == .outOfSpace else { throw error }
                context.logger.error(
                    "windows can't be set aside", metadata: ["error": "\(error)"])
                heldBack = ids
            }
        }
        report.setAside = setAside.sessions
    }

    /// Returns the sessions that are regular windows.
    func windows(of found: Found) -> [RestoredSession] {
        found.filter { $0.key.isReopenable }.values.flatMap { $0 }
    }
}

extension StoredWindow {
    init(_ session: RestoredSession, _ age: StoreAge) {
        let (attributes, mark) = (session.attributes, session.attributes.ageMark)
        self.init(
            id: session.id.window, kind: session.id.kind, closedAt: attributes.closedAt,
            lastActiveAt: attributes.lastActiveAt)
        closingNumber = age.knows(mark) ? mark?.value : nil
        (title, tabs, hiddenTabs) = (attributes.title, session.tabs.count, 0)
        shownTab = session.shownTab
    }
}

extension RestoredSession {
    /// What stays of a library when its tabs are set aside: spaces, folders and containers that are in nothing
    /// that goes with its tabs.
    var withoutTabs: RestoredSession {
        var session = self
        session.tabs = []
        session.attributes.activeTab = nil
        var kept: Set<NodeID> = []
        for node in nodes where !node.isPlainGroup && node.kind != .split {
            if node.parent.map(kept.contains) ?? true { kept.insert(node.id) }
        }
        session.nodes = nodes.filter { kept.contains($0.id) }
        return session
    }

    var isClosed: Bool { attributes.closedAt != nil }
}
