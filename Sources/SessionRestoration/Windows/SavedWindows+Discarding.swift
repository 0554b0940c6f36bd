public import BrowserModel
import BrowserSessions

extension SavedWindows {
    /// Deletes the saved data of windows that the system or the user discarded: their regular,
    /// inactive and off-the-record tabs, and those of an unconfirmed "close all".
    ///
    /// When it returns, the deletion has the store's greatest durability. The off-the-record
    /// sessions are deleted whether or not the profile has that partition now. If no tab of it is
    /// left anywhere, the entire partition is deleted. Recently closed tabs and tabs that were set
    /// aside stay.
    ///
    /// Unless the user closed the windows before, many tabs that go this way are a loss to the store, which
    /// keeps the state before it; see `RestorePoint.Reason.beforeLoss`.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running. If the deletion cannot
    ///   be saved, it is kept and tried again with the next save.
    @discardableResult
    public func discard(
        _ windows: some Sequence<some WindowReference>
    ) async throws(SessionRestorationError) -> DiscardReport {
        try context.checkIsRunning()
        let ids = Set(windows.map(\.windowID)).sorted()
        let saved = try await context.savedSessions()
        let closed = closedWindows
        var report = DiscardReport()
        var leaving: [SessionID] = []
        for id in ids {
            if context.windows.ids.sentinels.contains(id) || id == .profileWide {
                report.sentinels.append(id)
            } else if isInUse(id) {
                report.postponed.append(id)
            } else {
                let sessions = saved.filter { $0.window == id && $0.isDiscardable }
                leaving += sessions
                if sessions.isEmpty {
                    report.unknown.append(id)
                } else {
                    report.discarded.append(id)
                }
            }
        }
        try? context.windows.ids.forget(report.discarded + report.unknown)
        report.incognitoWasDeleted = try await delete(leaving, of: saved, closed)
        return report
    }

    /// Removes windows that are not in use, with the companions of regular windows.
    ///
    /// - Returns: the windows that were removed.
    func discard(
        sessions wanted: Set<SessionID>
    ) async throws(SessionRestorationError) -> Set<SessionID> {
        guard !wanted.isEmpty else { return [] }
        let saved = try await context.savedSessions()
        // A window may have been opened or reserved in the meantime.
        let ids = context.windows.ids
        let free = Set((ids.reopenable + ids.closedEmpty).map(\.sessionID))
        let sessions = wanted.intersection(free)
        let leaving = saved.filter { id in
            if sessions.contains(id) { return context.windows.window(id) == nil }
            return (id.kind.role == .companion || id.isOffTheRecord)
                && sessions.contains(SessionID(window: id.window))
                && context.windows.windows(with: id.window).isEmpty
        }
        let closed = closedWindows
        try? ids.forget(sessions: sessions)
        _ = try await delete(leaving, of: saved, closed)
        return sessions
    }

    private func isInUse(_ id: WindowID) -> Bool {
        !context.windows.windows(with: id).isEmpty || context.windows.ids.isOpen(id)
            || context.windows.ids.reservedWindows.contains(id)
    }

    /// The windows that the user closed, so that nothing is lost with them that he has not closed.
    private var closedWindows: Set<SessionID> {
        let ids = context.windows.ids
        return Set(
            (ids.reopenable + ids.closedEmpty).filter { $0.closedAt != nil }.map(\.sessionID))
    }

    private func delete(
        _ leaving: [SessionID], of saved: [SessionID], _ closed: Set<SessionID>
    ) async throws(SessionRestorationError) -> Bool {
        for id in leaving {
            context.saves.partition(id.partition)
                .remove(id, isAsked: closed.contains(id.ofWindow))
            incognito.opened(id)
        }
        let isIncognito = leaving.contains { $0.partition == .incognito }
        if isIncognito {
            let others = Set(saved.filter { $0.partition == .incognito }).subtracting(leaving)
            if await !haveTabs(others), !incognito.hasTabs {
                try await incognito.delete()
                try await context.save()
                return true
            }
        }
        if !leaving.isEmpty { try await context.save() }
        return false
    }

    /// Returns whether one of the sessions has tabs, or may have tabs that cannot be read.
    private func haveTabs(_ sessions: Set<SessionID>) async -> Bool {
        for id in sessions.sorted() {
            do throws(StorageError) {
                if try await context.saves.store.restore(id)?.tabs.isEmpty == false { return true }
            } catch {
                return true
            }
        }
        return false
    }
}

extension SessionID {
    /// Whether the session is discarded with its window.
    fileprivate var isDiscardable: Bool {
        isOffTheRecord || kind.role == .window || kind.role == .companion
    }
}
