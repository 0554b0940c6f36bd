public import BrowserModel
public import BrowserSessions

/// The saved data of windows, open or not: ``SessionRestorer/savedWindows``.
public struct SavedWindows {
    let components: RestorerComponents

    var context: RestorerContext { components.context }
    var opener: WindowOpener { WindowOpener(components) }
    var incognito: IncognitoTabs { components.incognito }
    var closedTabs: ClosedTabRecords { components.closedTabs }
    var closeAll: CloseAll { CloseAll(context) }

    init(_ components: RestorerComponents) { self.components = components }

    /// Opens a window with its saved tabs: one that was closed, one that could not be read at
    /// launch, or any window after ``WindowsToRestore/none``. Its inactive and off-the-record tabs
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
