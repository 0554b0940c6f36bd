public import BrowserSessions

/// A reference to a window: the window or its identifier.
///
/// A ``Window`` refers only to itself, not to a window that was later reopened with its identifier.
public protocol WindowReference {
    /// The window's identifier, which its companions share.
    var windowID: WindowID { get }
}

extension Window: WindowReference {
    public var windowID: WindowID { id }
}

extension WindowID: WindowReference {
    public var windowID: WindowID { self }
}

extension WindowList {
    /// Closes the ordinary window with an identifier, like ``close(_:reason:)-(Window,_)``.
    ///
    /// - Throws: ``WindowListError/notOpen(_:)`` if there is none, or it is already being closed.
    public func close(
        _ id: WindowID, reason: WindowClosingReason = .byUser
    ) throws(WindowListError) {
        guard let window = window(id) else {
            throw .notOpen(SessionID(window: id, kind: ordinaryKind))
        }
        try close(window, reason: reason)
    }
}
