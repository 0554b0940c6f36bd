import BrowserModel
import BrowserSessions
import Logging

extension SessionRestorer {
    // MARK: At launch

    /// Takes windows out of the way if the launch was judged so, all of them in one set of changes:
    /// a process that is killed meanwhile leaves all or none of them.
    ///
    /// When the disk is full, the windows stay where they are and are not opened; the host may open
    /// them one by one, and the next launch judges anew.
    func setAsideIfAsked(
        _ found: inout [SessionKind: [RestoredSession]], _ report: inout RestorationReport
    ) async throws(StorageError) {
        note(setAside: found.removeValue(forKey: .setAside) ?? [])
        if case .setAside(let reason) = report.launch.decision {
            let leaving = found[.regular, default: []].filter { !$0.isClosed && !$0.tabs.isEmpty }
            let ids = Set(leaving.map(\.id))
            do throws(StorageError) {
                note(setAside: try await setAside(leaving, reason))
                found[.regular]?.removeAll { ids.contains($0.id) }
            } catch {
                guard error.code == .outOfSpace else { throw error }
                logger.error("windows can't be set aside", metadata: ["error": "\(error)"])
                found[.regular] = found[.regular]?.map { session in
                    guard ids.contains(session.id) else { return session }
                    var closed = session
                    closed.attributes.properties[SavedProperty.closedAt] = now().savedText
                    return closed
                }
            }
        }
        report.setAside = setAside
    }

    private func note(setAside sessions: [RestoredSession]) {
        for session in sessions {
            launch.setAside[session.id] = .init(
                attributes: session.attributes, tabs: session.tabs.count)
        }
    }

    private func setAside(_ sessions: [RestoredSession], _ reason: SetAsideReason)
        async throws(StorageError) -> [RestoredSession]
    {
        guard !sessions.isEmpty else { return [] }
        var changes = SessionChanges()
        let moved = sessions.map { session in
            var copy = session
            copy.id = SessionID(window: .random(), kind: .setAside)
            copy.attributes = session.attributes.setAside(
                from: session.id.window, reason, at: now())
            changes.put(copy.attributes, for: copy.id)
            for tab in copy.tabs { changes.put(tab, in: copy.id) }
            changes.remove(session.id)
            return copy
        }
        try await ledger.door.inTurn(.regular) { () async throws(StorageError) in
            try await ledger.apply(changes)
        }
        logger.warning(
            "windows were set aside",
            metadata: ["windows": "\(moved.count)", "reason": "\(reason.rawValue)"])
        return moved
    }

    // MARK: While the app runs

    /// Settles, before a save, what becomes of tabs that were closed without the user.
    func decideOnClosings() {
        for emptied in suspicion.decide(ledger.regular) {
            var attributes = emptied.window.savedAttributes
                .setAside(from: emptied.window.id, .emptied, at: now())
            attributes.groups = emptied.groups
            attributes.activeTab = nil
            ledger.regular.put(attributes, for: emptied.session)
            launch.setAside[emptied.session] = .init(
                attributes: attributes, tabs: emptied.tabs.count)
            logger.warning(
                "a window lost all its tabs, and not by the user",
                metadata: ["window": "\(emptied.window.id)", "tabs": "\(emptied.tabs.count)"])
            tell(.windowEmptied(emptied.window.id, tabs: emptied.tabs.count))
        }
    }

    /// Discards what was acknowledged and is too old or one too many.
    ///
    /// Called after a save of this process: as long as nothing newer is saved, what was set aside
    /// may be the only copy. Nothing is discarded when something could not be read at launch.
    func discardOldSetAside() {
        guard phase == .running, let report, !report.isSuspicious else { return }
        let acknowledged = launch.setAside.compactMap { id, record in
            record.attributes.acknowledgedAt.map { (id: id, at: $0) }
        }.sorted { ($0.at, $0.id) > ($1.at, $1.id) }
        let time = now()
        for (index, entry) in acknowledged.enumerated() {
            let isOld = time.timeSince(entry.at) > policy.crashes.setAsideAge
            guard isOld || index >= policy.crashes.maximumSetAside else { continue }
            launch.setAside[entry.id] = nil
            ledger.regular.remove(entry.id)
        }
    }
}
