import BrowserModel
import BrowserSessions

extension SavedWindows {
    /// Removes what no rule keeps any more: closed windows and closed tabs beyond the limits of
    /// ``RestorationPolicy/closed``; and confirms what was closed by
    /// ``SessionRestorer/closeAll`` more than a day ago.
    ///
    /// When it returns, the removal survives all that the store can promise. Call it now and then,
    /// when the app is idle.
    ///
    /// Throws ``SessionRestorationError/suspiciousLoad`` if something was lost or could not be read
    /// at launch: then what is to be removed may be the only copy. Else
    /// ``SessionRestorationError/storage(_:)`` or ``SessionRestorationError/notRestored``.
    @discardableResult
    public func purge() async throws(SessionRestorationError) -> PurgeReport {
        try context.checkIsRunning()
        guard context.report?.isSuspicious == false else { throw .suspiciousLoad }
        var purged = PurgeReport()
        purged.confirmed = try await confirmOldBackups()
        purged.closedTabs = closedTabs.enforceLimits()
        purged.windows = try await discard(closedWindowsBeyondLimits).discarded
        try await context.save()
        return purged
    }

    private var closedWindowsBeyondLimits: [WindowID] {
        let closed = context.windows.ids.reopenable.filter { $0.closedAt != nil && $0.isReadable }
        let time = context.now()
        let tooMany = closed.dropFirst(max(0, context.policy.closed.maximumWindows)).map(\.id)
        let tooOld = closed.filter { window in
            let closedAt = window.closedAt.flatMap { $0 == .unknown ? nil : $0 }
            return time.timeSince(closedAt ?? window.lastActiveAt)
                > context.policy.closed.maximumAge
        }
        return tooMany + tooOld.map(\.id)
    }

    /// Also those of windows that are not open.
    private func confirmOldBackups() async throws(SessionRestorationError) -> [WindowID] {
        let day = Duration.seconds(24 * 60 * 60)
        var confirmed: [WindowID] = []
        for id in try await context.savedSessions() where id.kind == .backup {
            if context.windows.window(id.window, .backup) == nil { try await openIfOld(id, day) }
            guard let backup = context.windows.window(id.window, .backup),
                backup.attributes.createdAt != .unknown,
                context.now().timeSince(backup.attributes.createdAt) > day, !backup.tabs.isEmpty
            else { continue }
            try closeAll.confirm(in: id.window)
            confirmed.append(id.window)
        }
        return confirmed
    }

    private func openIfOld(
        _ id: SessionID, _ age: Duration
    ) async throws(SessionRestorationError) {
        let stored: RestoredSession?
        do throws(StorageError) { stored = try await context.ledger.restore(id) } catch {
            throw SessionRestorationError(error)
        }
        guard let stored, stored.provenance == .intact,
            context.now().timeSince(stored.attributes.createdAt) > age,
            context.windows.window(id.window, .backup) == nil
        else { return }
        do throws(WindowListError) { _ = try opener.open(stored) } catch { throw .window(error) }
    }
}
