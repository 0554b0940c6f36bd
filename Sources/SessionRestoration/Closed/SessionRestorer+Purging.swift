import BrowserModel
public import BrowserSessions

/// What ``SessionRestorer/purge()`` removed because no rule keeps it any more.
public struct PurgeReport: Hashable, Sendable {
    /// Closed windows beyond the limits of number and age.
    public var windows: [WindowID] = []
    /// Closed tabs beyond these limits.
    public var closedTabs: [TabID] = []
    /// Windows of which all tabs were closed more than a day ago: their tabs are among the recently
    /// closed ones now.
    public var confirmed: [WindowID] = []

    public init() {}
}

extension SessionRestorer {
    /// Removes what no rule keeps any more: closed windows and closed tabs beyond the limits of
    /// ``RestorationPolicy/closed``; and confirms what was closed by
    /// ``closeAll(in:keepingPinned:)`` more than a day ago.
    ///
    /// When it returns, the removal survives all that the store can promise. Call it now and then,
    /// when the app is idle.
    ///
    /// Throws ``SessionRestorationError/suspiciousLoad`` if something was lost or could not be read
    /// at launch: then what is to be removed may be the only copy. Else
    /// ``SessionRestorationError/storage(_:)`` or ``SessionRestorationError/notRestored``.
    @discardableResult
    public func purge() async throws(SessionRestorationError) -> PurgeReport {
        try checkIsRunning()
        guard let report, !report.isSuspicious else { throw .suspiciousLoad }
        var purged = PurgeReport()
        purged.confirmed = try await confirmOldBackups()
        purged.closedTabs = closedTabs.enforceLimits()
        purged.windows = try await discard(closedWindowsBeyondLimits).discarded
        try await save()
        return purged
    }

    private var closedWindowsBeyondLimits: [WindowID] {
        let closed = recentlyClosedWindows.filter(\.isReadable)
        let time = now()
        let tooMany = closed.dropFirst(max(0, policy.closed.maximumWindows)).map(\.id)
        let tooOld = closed.filter { window in
            let closedAt = window.closedAt.flatMap { $0 == .unknown ? nil : $0 }
            return time.timeSince(closedAt ?? window.lastActiveAt) > policy.closed.maximumAge
        }
        return tooMany + tooOld.map(\.id)
    }

    /// Also those of windows that are not open.
    private func confirmOldBackups() async throws(SessionRestorationError) -> [WindowID] {
        let day = Duration.seconds(24 * 60 * 60)
        var confirmed: [WindowID] = []
        for id in try await savedSessions() where id.kind == .backup {
            if windows.window(id.window, .backup) == nil { try await openIfOld(id, day) }
            guard let backup = windows.window(id.window, .backup),
                backup.attributes.createdAt != .unknown,
                now().timeSince(backup.attributes.createdAt) > day, !backup.tabs.isEmpty
            else { continue }
            try confirmCloseAll(in: id.window)
            confirmed.append(id.window)
        }
        return confirmed
    }

    private func openIfOld(
        _ id: SessionID, _ age: Duration
    ) async throws(SessionRestorationError) {
        let stored: RestoredSession?
        do throws(StorageError) { stored = try await ledger.restore(id) } catch {
            throw .storage(error)
        }
        guard let stored, stored.provenance == .intact,
            now().timeSince(stored.attributes.createdAt) > age,
            windows.window(id.window, .backup) == nil
        else { return }
        do throws(WindowListError) { _ = try open(stored) } catch { throw .window(error) }
    }
}
