public import BrowserSessions

/// The right to open one window: as long as it exists nobody else gets its id.
///
/// Build the window, then ``confirm()``. If that fails, ``cancel()`` or just let go of the
/// reservation: the id is given back, so a window that could not be built can be reopened later.
/// Keep it as long as the window is being built: an id that was read from it reserves nothing.
public final class WindowReservation {
    public let id: WindowID
    /// The kind of the window.
    public let kind: SessionKind
    private let manager: WindowManager
    /// What the window was when the reservation ended; `nil` as long as it is pending.
    private var outcome: (isNew: Bool, isReadable: Bool)?

    init(_ session: SessionID, of manager: WindowManager) {
        id = session.window
        kind = session.kind
        self.manager = manager
    }

    deinit { cancel() }

    /// What the window is called where it is saved.
    public var sessionID: SessionID { SessionID(window: id, kind: kind) }

    /// Whether nothing is known to be stored under the id, so that there is nothing to restore.
    /// A window that is offered while its id is reserved is not new any more. Stays as it is once
    /// the reservation ended.
    public var isNew: Bool { outcome?.isNew ?? (manager.record(of: sessionID) == nil) }

    /// Whether the store could read the window; `true` for a new one.
    ///
    /// If it is `false`, restore what can be salvaged and do not save an empty window over it.
    public var isReadable: Bool {
        outcome?.isReadable ?? manager.record(of: sessionID)?.window.isReadable ?? true
    }

    /// Whether the reservation was neither confirmed nor cancelled.
    public var isPending: Bool { outcome == nil }

    /// Makes the id that of an open window, until ``WindowManager/didClose(_:kind:at:)``.
    ///
    /// Throws ``WindowIDError/reservationSpent(_:)`` if it was confirmed or cancelled before.
    public func confirm() throws(WindowIDError) {
        guard isPending else { throw .reservationSpent(id) }
        settle()
        manager.confirm(sessionID)
    }

    /// Gives the id back: a stored window is offered again at its former place, a new id is
    /// forgotten. Does nothing if the reservation was confirmed or cancelled before.
    public func cancel() {
        guard isPending else { return }
        settle()
        manager.cancel(sessionID)
    }

    private func settle() { outcome = (isNew, isReadable) }
}
