public import BrowserModel
public import BrowserSessions

/// What is saved of windows, open or not: ``SessionRestorer/savedWindows``.
public final class SavedWindows {
    let context: RestorerContext
    let opener: WindowOpener
    let incognito: IncognitoTabs
    let closeAll: CloseAll
    let closedTabs: ClosedTabRecords
    private let launch: Launch
    private let keeper: WindowKeeper

    init(
        _ context: RestorerContext, _ opener: WindowOpener, _ incognito: IncognitoTabs,
        _ closeAll: CloseAll, _ closedTabs: ClosedTabRecords, _ launch: Launch,
        _ keeper: WindowKeeper
    ) {
        self.context = context
        self.opener = opener
        self.incognito = incognito
        self.closeAll = closeAll
        self.closedTabs = closedTabs
        self.launch = launch
        self.keeper = keeper
    }

    /// Opens a window with what is saved of it: one that was closed, one that could not be read at
    /// launch, or any when ``WindowsToRestore/none`` were opened. Its inactive and off-the-record
    /// tabs come with it. If nothing is saved of it, it is new and empty.
    ///
    /// The active tab is realized when it returns.
    @discardableResult
    public func open(_ id: WindowID, kind: SessionKind = .regular)
        async throws(SessionRestorationError) -> Window
    {
        try await open(SessionID(window: id, kind: kind), nil)
    }

    /// Opens the window of a reservation, as ``open(_:kind:)`` does. When it throws, the
    /// reservation is still pending: let go of it, or try again.
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
            await launch.realizeActiveTabs(of: [window])
            return window
        } catch {
            throw SessionRestorationError(error)
        }
    }

    /// Saves what has changed in a window and stops to watch it: what happens to it from now on is
    /// not saved. Use it before a window's tabs are taken apart without being closed. An identifier means the
    /// regular window; does nothing if that is not open.
    public func disconnect(_ window: some WindowReference) async throws(SessionRestorationError) {
        guard let window = window as? Window ?? context.windows.window(window.windowID) else {
            return
        }
        try await keeper.disconnect(window)
    }
}
