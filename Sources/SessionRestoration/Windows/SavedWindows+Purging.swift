import BrowserModel
import BrowserSessions

extension SavedWindows {
    /// Removes items that no rule keeps any longer: closed windows and closed tabs beyond the
    /// limits of ``RestorationPolicy/closed``, and windows that were closed without a tab. Confirms
    /// each ``SessionRestorer/closeAll`` of more than a day ago.
    ///
    /// When it returns, the removal has the store's greatest durability. Call it occasionally, when
    /// the app is idle.
    ///
    /// - Throws: ``SessionRestorationError/suspiciousLoad`` if something was lost or could not be
    ///   read at launch, because the items may then be the only copy;
    ///   ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/window(_:)`` if the tabs of an old "close all" cannot be opened;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    @discardableResult
    public func purge() async throws(SessionRestorationError) -> PurgeReport {
        try context.checkIsRunning()
        guard context.report?.isSuspicious == false else { throw .suspiciousLoad }
        var purged = PurgeReport()
        purged.confirmed = try await confirmOldBackups()
        let dropped = closedTabs.enforceLimits()
        purged.closedTabs = dropped.oldClosedTabs + dropped.surplusClosedTabs
        let (windows, empty) = (closedWindowsBeyondLimits, context.windows.ids.closedEmpty)
        let removed = try await discard(sessions: Set(windows + empty.map(\.sessionID)))
        purged.windows = windows.filter(removed.contains).map(\.window)
        purged.emptyWindows = empty.filter { removed.contains($0.sessionID) }.map(\.id)
        try await context.save()
        return purged
    }

    /// The closed windows beyond the limits. Windows that were closed without a tab do not count.
    private var closedWindowsBeyondLimits: [SessionID] {
        let closed = context.windows.ids.reopenable.filter { $0.closedAt != nil && $0.isReadable }
        let kept = max(0, context.policy.closed.maximumWindows)
        let age = context.age
        return closed.enumerated().filter { index, window in
            guard index < kept else { return true }
            let mark = window.closingNumber.map {
                StoreAge.Mark(counter: age.counter, value: $0)
            }
            return age.isOlder(mark, than: context.policy.closed.maximumAge)
        }.map(\.element.sessionID)
    }

    /// Confirms old backups, including those of windows that are not open.
    private func confirmOldBackups() async throws(SessionRestorationError) -> [WindowID] {
        let day = Duration.seconds(24 * 60 * 60)
        var confirmed: [WindowID] = []
        for id in try await context.savedSessions() where id.kind == .backup {
            if context.windows.window(id.window, kind: .backup) == nil {
                try await openIfOld(id, day)
            }
            guard let backup = context.windows.window(id.window, kind: .backup),
                isOlder(backup.attributes, than: day), !backup.tabs.isEmpty
            else { continue }
            try closeAll.confirm(in: id.window)
            confirmed.append(id.window)
        }
        return confirmed
    }

    private func isOlder(_ attributes: SessionAttributes, than age: Duration) -> Bool {
        context.age.isOlder(attributes.ageMark, than: age)
    }

    private func openIfOld(
        _ id: SessionID, _ age: Duration
    ) async throws(SessionRestorationError) {
        let stored: RestoredSession?
        do throws(StorageError) { stored = try await context.saves.store.restore(id) } catch {
            throw SessionRestorationError(error)
        }
        guard let stored, stored.provenance == .intact,
            isOlder(stored.attributes, than: age),
            context.windows.window(id.window, kind: .backup) == nil
        else { return }
        do throws(WindowListError) { _ = try opener.open(stored) } catch { throw .window(error) }
    }
}
