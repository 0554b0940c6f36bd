public import BrowserSessions

/// The reason a window identifier was refused. Nothing was changed.
@nonexhaustive
public enum WindowIDError: Error, Hashable, Sendable {
    /// The window is open. Two windows never share an identifier.
    case alreadyOpen(WindowID)
    /// The identifier is already reserved.
    case alreadyReserved(WindowID)
    /// The identifier is a sentinel and never identifies a window.
    case sentinel(WindowID)
    /// Windows of this kind have no reservations: they are incognito, or not user windows.
    case notReopenable(SessionKind)
    /// The window is not open, so it cannot be closed.
    case notOpen(WindowID)
    /// The reservation was already confirmed or canceled.
    case reservationSpent(WindowID)
}

extension WindowIDError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .alreadyOpen(let id):
            "window \(id) is open; close it first, or ask for another id with reserve()"
        case .alreadyReserved(let id):
            "window \(id) is reserved; confirm or cancel that reservation first, or ask for"
                + " another id with reserve()"
        case .sentinel(let id):
            "\(id) is a sentinel and never names a window; ask for an id with reserve()"
        case .notReopenable(let kind):
            "windows of the kind '\(kind.rawValue)' have no reservations; open them in their list"
        case .notOpen(let id):
            "window \(id) is not open; a window is open from the confirmation of its reservation"
                + " until didClose(_:kind:at:)"
        case .reservationSpent(let id):
            "the reservation of window \(id) was confirmed or cancelled before; reserve it again"
        }
    }
}
