public import BrowserModel
public import BrowserSessions

extension SessionRestorer {
    /// Saves everything, notes that the app ended in order, and stops to watch. The store stays
    /// open: whoever opened it closes it.
    ///
    /// When it throws, the restorer is still in use, and it may be called again. Closing twice is
    /// fine.
    public func close() async throws(SessionRestorationError) {
        guard phase != .closed else { return }
        if phase == .running {
            try await save()
            do throws(StorageError) { try await endLaunch() } catch { throw .storage(error) }
        } else {
            try? await endLaunch()
        }
        ledger.stop()
        phase = .closed
        windows.removeObserver(self)
        windows.offTheRecord.removeObserver(self)
        for tracker in trackers.values { tracker.stop() }
        trackers = [:]
    }

    /// Opens a window with what is saved of it: one that was closed, one that could not be read at
    /// launch, or any when ``WindowsToRestore/none`` were opened. Its inactive and off-the-record
    /// tabs come with it. If nothing is saved of it, it is new and empty.
    ///
    /// The active tab is realized when it returns.
    @discardableResult
    public func openWindow(_ id: WindowID, kind: SessionKind = .regular)
        async throws(SessionRestorationError) -> Window
    {
        if let window = windows.window(SessionID(window: id, kind: kind)) { return window }
        return try await openWindow(SessionID(window: id, kind: kind), nil)
    }

    /// Opens the window of a reservation, as ``openWindow(_:kind:)`` does. When it throws, the
    /// reservation is still pending: let go of it, or try again.
    @discardableResult
    public func openWindow(_ reservation: WindowReservation)
        async throws(SessionRestorationError) -> Window
    {
        try await openWindow(SessionID(window: reservation.id), reservation)
    }

    private func openWindow(_ id: SessionID, _ reservation: WindowReservation?)
        async throws(SessionRestorationError) -> Window
    {
        try checkIsRunning()
        let stored = try await readWindow(id)
        try checkIsRunning()
        if let window = windows.window(id) { return window }
        let window: Window
        do throws(WindowListError) {
            window = try open(stored, as: id, reservation)
        } catch {
            throw .window(error)
        }
        await realizeActiveTabs(of: [window], report?.launch ?? LaunchAssessment())
        return window
    }

    /// What the store has of a window and of what belongs to it, with everything that waits to be saved.
    ///
    /// All of it or nothing: half a window that is open would hide the other half until the next launch.
    private func readWindow(_ id: SessionID)
        async throws(SessionRestorationError) -> [RestoredSession]
    {
        let companions = id.kind == .regular ? companions(of: id.window) : []
        do throws(StorageError) {
            try await ledger.saveBeforeReading()
            return try await read([id] + companions)
        } catch {
            throw .storage(error)
        }
    }

    /// What may be saved beside a regular window and is not open.
    func companions(of window: WindowID) -> [SessionID] {
        [SessionKind.inactive, .backup, .incognito]
            .map { SessionID(window: window, kind: $0) }
            .filter { windows.window($0) == nil }
    }

    func read(_ ids: [SessionID]) async throws(StorageError) -> [RestoredSession] {
        var found: [RestoredSession] = []
        for id in ids { if let session = try await ledger.restore(id) { found.append(session) } }
        return found
    }

    /// Opens a window and what belongs to it, as it was read, or new.
    func open(
        _ stored: [RestoredSession], as id: SessionID, _ reservation: WindowReservation?
    ) throws(WindowListError) -> Window {
        let window: Window
        if let own = stored.first(where: { $0.id == id }) {
            window = try open(own, reservation).window
        } else {
            window = try windows.open(id, reservation)
        }
        for session in stored where session.id != id && !session.tabs.isEmpty {
            guard windows.window(session.id) == nil else { continue }
            try open(session)
        }
        return window
    }
}

extension WindowList {
    /// The open window of a session, of either side.
    func window(_ session: SessionID) -> Window? {
        list(of: session.kind).window(session.window, session.kind)
    }

    func open(_ id: SessionID, _ reservation: WindowReservation?) throws(WindowListError) -> Window
    {
        if let reservation { return try open(reservation) }
        return try list(of: id.kind).open(id.window, kind: id.kind)
    }
}
