public import BrowserSessions

/// The right to open one window. Its identifier is not assigned again while the reservation exists.
///
/// Open the window with ``WindowList/open(_:attributes:)``. If that fails, call ``cancel()`` or release
/// the reservation: the window can then be reopened later. Keep the reservation until then; a copy of
/// its identifier reserves nothing.
public final class WindowReservation {
    /// The identifier that the window will have.
    public let id: WindowID
    /// The kind of the window.
    public let kind: SessionKind
    private let manager: WindowManager
    /// The state of the window when the reservation ended; `nil` while it is pending.
    private var outcome: (isNew: Bool, isReadable: Bool)?

    init(_ session: SessionID, of manager: WindowManager) {
        id = session.window
        kind = session.kind
        self.manager = manager
    }

    deinit { cancel() }

    /// The identifier under which the window is saved.
    package var sessionID: SessionID { SessionID(window: id, kind: kind) }

    /// Whether nothing is known to be stored under the identifier, so that there is nothing to
    /// restore. A window that is offered while it is reserved is no longer new. The value is fixed
    /// once the reservation ends.
    public var isNew: Bool { outcome?.isNew ?? (manager.record(of: sessionID) == nil) }

    /// Whether the store could read the window; `true` for a new one.
    ///
    /// If `false`, restore what can be salvaged, and do not save an empty window over it.
    public var isReadable: Bool {
        outcome?.isReadable ?? manager.record(of: sessionID)?.window.isReadable ?? true
    }

    /// Whether the reservation is neither confirmed nor canceled.
    package var isPending: Bool { outcome == nil }

    /// Opens the window with this identifier, until it is closed.
    ///
    /// - Throws: ``WindowIDError/reservationSpent(_:)`` if it was already confirmed or canceled.
    package func confirm() throws(WindowIDError) {
        guard isPending else { throw .reservationSpent(id) }
        resolve()
        manager.confirm(sessionID)
    }

    /// Cancels the reservation: a stored window is offered again at its former position, a new
    /// identifier is forgotten. Does nothing if it was already confirmed or canceled.
    public func cancel() {
        guard isPending else { return }
        resolve()
        manager.cancel(sessionID)
    }

    private func resolve() { outcome = (isNew, isReadable) }
}
