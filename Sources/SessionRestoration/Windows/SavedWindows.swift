public import BrowserModel
public import BrowserSessions

/// The saved data of windows, open or not: ``SessionRestorer/savedWindows``.
public struct SavedWindows: RestorerPart {
    let components: RestorerComponents

    var closeAll: CloseAll { CloseAll(context) }

    /// Opens a window with its saved tabs: one that was closed, one that could not be read at
    /// launch, or any window after ``WindowsToRestore/none``. Its inactive and incognito tabs
    /// come with it. If nothing is saved, the window is new and empty.
    ///
    /// When it returns, the active tab is realized.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the window cannot be read completely;
    ///   ``SessionRestorationError/window(_:)`` if the identifier is reserved or never names a
    ///   window; unless the window is open already, ``SessionRestorationError/notRestored``,
    ///   ``SessionRestorationError/superseded`` or ``SessionRestorationError/closed`` if the
    ///   restorer is not running.
    @discardableResult
    public func open(_ id: WindowID, kind: SessionKind = .regular)
        async throws(SessionRestorationError) -> Window
    {
        try await open(SessionID(window: id, kind: kind), nil)
    }

    /// Opens the window of a reservation, as ``open(_:kind:)`` does. If it throws, the reservation
    /// is still pending: release it, or try again.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the window cannot be read completely;
    ///   ``SessionRestorationError/window(_:)`` if the reservation was confirmed or canceled
    ///   before, unless its window is open, which is then returned; ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    @discardableResult
    public func open(_ reservation: WindowReservation)
        async throws(SessionRestorationError) -> Window
    {
        try await open(reservation.sessionID, reservation)
    }

    private func open(_ id: SessionID, _ reservation: WindowReservation?)
        async throws(SessionRestorationError) -> Window
    {
        if reservation == nil, let window = context.windows.window(id) { return window }
        try context.checkIsRunning()
        do {
            let stored = try await opener.readWindow(id)
            try context.checkIsRunning()
            if let window = context.windows.window(id) { return window }
            let window = try opener.open(stored, as: id, reservation)
            await components.launch.realizeActiveTabs(of: [window])
            return window
        } catch {
            throw SessionRestorationError(error)
        }
    }

    /// Saves the changes in a window and stops observing it, so that later changes are not saved.
    /// Use it before you take a window's tabs apart without closing them. An identifier means the
    /// regular window; does nothing if that is not open.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails;
    ///   ``SessionRestorationError/notRestored`` before restoring has finished;
    ///   ``SessionRestorationError/superseded`` if another restorer began to use the store. The
    ///   window is not observed any more even then.
    public func disconnect(_ window: some WindowReference) async throws(SessionRestorationError) {
        guard let window = window as? Window ?? context.windows.window(window.windowID) else {
            return
        }
        try await components.trackers.disconnect(window)
    }
}

extension SavedWindows {
    /// Moves the tabs of all other regular windows to the end of one window, with their pins and
    /// groups, and closes these windows, which cannot be reopened. No tab is realized.
    ///
    /// The windows' inactive tabs join those of the target, and an open "close all" in them is
    /// confirmed. Incognito windows stay. All of this is one change set.
    ///
    /// - Returns: the number of tabs that moved to the window, without inactive tabs.
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` if the window is not a regular one;
    ///   ``SessionRestorationError/window(_:)`` if it is not open;
    ///   ``SessionRestorationError/tabList(_:)`` if a tab list refuses the change;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running. If a list refuses, tabs
    ///   that moved before stay moved, and no tab is lost.
    @discardableResult
    public func mergeAll(
        into target: some WindowReference
    ) throws(SessionRestorationError) -> Int {
        let target = try context.regularWindow(target)
        var moved = 0
        for window in context.windows.windows(of: .regular) where window !== target {
            closeAll.giveUpBackup(of: window.id)
            if let inactive = context.windows.window(window.id, kind: .inactive) {
                let home = try context.openCompanion(.inactive, of: target)
                _ = try moveAll(inactive.tabs, to: home.tabs)
                try? context.windows.close(inactive)
            }
            moved += try moveAll(window.tabs, to: target.tabs)
            try? context.windows.close(window)
            context.saves.regular.mark(.removed(window.sessionID, isAsked: true))
            try? context.windows.ids.forget(sessions: [window.sessionID])
        }
        return moved
    }

    private func moveAll(
        _ list: TabList, to other: TabList
    ) throws(SessionRestorationError) -> Int {
        try SessionRestorationError.converting {
            try list.transfer(list, to: other).count
        }
    }
}

extension SavedWindows {
    /// Deletes the saved data of windows that the system or the user discarded: their regular,
    /// inactive and incognito tabs, and those of an unconfirmed "close all".
    ///
    /// When it returns, the deletion has the store's greatest durability. The incognito
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
        let closed = context.closedWindows
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
            return (id.kind.role == .companion || id.isIncognito)
                && sessions.contains(SessionID(window: id.window))
                && context.windows.windows(with: id.window).isEmpty
        }
        let closed = context.closedWindows
        try? ids.forget(sessions: sessions)
        _ = try await delete(leaving, of: saved, closed)
        return sessions
    }

    private func isInUse(_ id: WindowID) -> Bool {
        !context.windows.windows(with: id).isEmpty || context.windows.ids.isOpen(id)
            || context.windows.ids.reservedWindows.contains(id)
    }

    private func delete(
        _ leaving: [SessionID], of saved: [SessionID], _ closed: Set<SessionID>
    ) async throws(SessionRestorationError) -> Bool {
        for id in leaving {
            context.saves.partition(id.partition)
                .mark(.removed(id, isAsked: closed.contains(id.ofWindow)))
            incognito.opened(id)
        }
        context.savedItemsChanged()
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
                if try await context.store.restore(id)?.tabs.isEmpty == false { return true }
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
        isIncognito || kind.role == .window || kind.role == .companion
    }
}

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
        let stored = try await context.call { try await $0.restore(id) }
        guard let stored, stored.provenance == .intact,
            isOlder(stored.attributes, than: age),
            context.windows.window(id.window, kind: .backup) == nil
        else { return }
        _ = try SessionRestorationError.converting { try opener.open(stored) }
    }
}

/// The result of discarding windows. Each identifier is in one of the lists.
public struct DiscardReport: Hashable, Sendable {
    /// The windows with saved data that was deleted.
    public var discarded: [WindowID] = []
    /// The windows without saved data.
    public var unknown: [WindowID] = []
    /// The windows that are open or reserved. Discard them again when they are closed.
    public var postponed: [WindowID] = []
    /// The identifiers that never name a window, so that data saved under them belongs to none.
    public var sentinels: [WindowID] = []
    /// Whether the entire incognito partition was deleted, because none of its tabs was left.
    public var incognitoWasDeleted = false
}

/// The items that ``SavedWindows/purge()`` removed because no rule keeps them any longer.
public struct PurgeReport: Hashable, Sendable {
    /// The closed windows beyond the limits of number and age.
    public var windows: [WindowID] = []
    /// The windows that had no tab, not even an inactive one, when they were closed.
    public var emptyWindows: [WindowID] = []
    /// The closed tabs beyond these limits.
    public var closedTabs: [TabID] = []
    /// The windows with a "close all" of more than a day ago. Their tabs are now among the recently
    /// closed tabs.
    public var confirmed: [WindowID] = []
}
