public import BrowserSessions

/// A window or its identifier: what methods take to know which window is meant.
///
/// A ``Window`` means itself alone, and not another one that was opened again with its identifier since.
public protocol WindowReference {
    /// The window's identifier, which those that belong to it have, too.
    var windowID: WindowID { get }
    /// Whether that window is meant.
    func refers(to window: Window) -> Bool
}

extension Window: WindowReference {
    public var windowID: WindowID { id }
    public func refers(to window: Window) -> Bool { self === window }
}

extension WindowID: WindowReference {
    public var windowID: WindowID { self }
    public func refers(to window: Window) -> Bool { self == window.id }
}

extension WindowList {
    /// Closes the ordinary window with an identifier, as ``close(_:_:)-(Window,_)`` does. Throws
    /// ``WindowListError/notOpen(_:)`` if there is none.
    public func close(
        _ id: WindowID, _ reason: WindowClosingReason = .byUser
    ) throws(WindowListError) {
        guard let window = window(id) else {
            throw .notOpen(SessionID(window: id, kind: ordinaryKind))
        }
        try close(window, reason)
    }
}
