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
        stopTimers()
        phase = .closed
        windows.removeObserver(self)
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
        if let window = windows.window(id, kind) { return window }
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
        let stored = try await read(id)
        let window: Window
        do throws(WindowListError) {
            if let stored {
                window = try open(stored, reservation)
            } else {
                window = try windows.open(id, reservation)
            }
        } catch {
            throw .window(error)
        }
        if id.kind == .regular { try await openCompanions(of: id.window) }
        await realizeActiveTabs(of: [window], report?.launch ?? LaunchAssessment())
        return window
    }

    /// What the store has of a session, with everything that waits to be saved.
    private func read(_ id: SessionID) async throws(SessionRestorationError) -> RestoredSession? {
        do throws(StorageError) {
            try await saveBeforeReading()
            return try await storage.current.restore(id)
        } catch {
            throw .storage(error)
        }
    }

    func openCompanions(of id: WindowID) async throws(SessionRestorationError) {
        for kind in [SessionKind.inactive, .backup, .incognito] {
            guard windows.window(id, kind) == nil,
                let stored = try await read(SessionID(window: id, kind: kind)),
                !stored.tabs.isEmpty
            else { continue }
            do throws(WindowListError) { _ = try open(stored) } catch { throw .window(error) }
        }
    }

    /// What waits to be saved must be in the store before it is read from there.
    func saveBeforeReading() async throws(StorageError) {
        guard !isSaved else { return }
        do throws(SessionRestorationError) { try await save() } catch {
            if case .storage(let error) = error { throw error }
        }
    }
}

extension WindowList {
    func open(_ id: SessionID, _ reservation: WindowReservation?) throws(WindowListError) -> Window
    {
        if let reservation { return try open(reservation) }
        return try open(id.window, kind: id.kind)
    }
}
