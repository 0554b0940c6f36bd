/// Identifies a session by its window and its kind.
public struct SessionID: Hashable, Sendable {
    /// The window, or what stands for one in a session that is kept beside windows.
    public var window: WindowID
    /// What the session is for.
    public var kind: SessionKind

    /// Creates the identifier of a session, by default of the ordinary tabs of a window.
    public init(window: WindowID, kind: SessionKind = .regular) {
        self.window = window
        self.kind = kind
    }

    /// The partition of the store that holds this session.
    public var partition: StoragePartition { kind.partition }
    /// Whether the session is in the incognito partition.
    public var isIncognito: Bool { kind.partition == .incognito }

    /// Hashes only the window. A window has few sessions, and hashing text is slow.
    public func hash(into hasher: inout Hasher) { hasher.combine(window) }
}

extension SessionID: Comparable {
    /// Orders by window, then by the text of the kind.
    public static func < (left: Self, right: Self) -> Bool {
        left.window == right.window
            ? left.kind.rawValue < right.kind.rawValue : left.window < right.window
    }
}

extension SessionID: LosslessStringConvertible {
    /// The window's UUID, a slash and the kind: `6B29FC40-CA47-1067-B31D-00DD010662DA/regular`.
    public var description: String { "\(window)/\(kind.rawValue)" }

    /// Reads ``description``. Without a kind, it is `regular`.
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
