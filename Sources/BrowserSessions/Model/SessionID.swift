/// Names a session: a window and the kind of place in it.
public struct SessionID: Hashable, Sendable {
    public var window: WindowID
    public var kind: SessionKind

    public init(window: WindowID, kind: SessionKind = .regular) {
        self.window = window
        self.kind = kind
    }

    /// The side of the store on which this session lives.
    public var side: StorageSide { kind.side }
    /// Whether it is on the incognito one.
    public var isOffTheRecord: Bool { kind.side == .incognito }

    /// Hashes the window alone: a window has few sessions, and hashing a text takes long.
    public func hash(into hasher: inout Hasher) { hasher.combine(window) }
}

extension SessionID: Comparable {
    /// By window, then by the text of the kind.
    public static func < (left: Self, right: Self) -> Bool {
        left.window == right.window
            ? left.kind.rawValue < right.kind.rawValue : left.window < right.window
    }
}

extension SessionID: LosslessStringConvertible {
    /// The window's UUID, a slash and the kind: `6B29FC40-CA47-1067-B31D-00DD010662DA/regular`.
    public var description: String { "\(window)/\(kind.rawValue)" }

    /// Reads ``description``; the kind may be left out for `regular`.
    public init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, let window = WindowID(String(first)) else {
            return nil
        }
        guard parts.count == 2 else {
            self.init(window: window)
            return
        }
        guard let kind = SessionKind(rawValue: String(parts[1])) else { return nil }
        self.init(window: window, kind: kind)
    }
}
