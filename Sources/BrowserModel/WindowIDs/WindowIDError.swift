public import BrowserSessions

/// Why an id of a window cannot be reserved, opened, closed or forgotten. Nothing was changed.
@nonexhaustive
public enum WindowIDError: Error, Hashable, Sendable {
    /// The window is open: two windows never have one id.
    case alreadyOpen(WindowID)
    /// Somebody holds a reservation of the id.
    case alreadyReserved(WindowID)
    /// The id is a sentinel and never names a window.
    case sentinel(WindowID)
    /// Windows of that kind have no reservations: they are off the record, or no windows of the user.
    case notReopenable(SessionKind)
    /// The window is not open, so it cannot be closed.
    case notOpen(WindowID)
    /// The reservation was confirmed or cancelled before.
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
