/// The kind of a session. An open set: hosts may add their own kinds.
///
/// A kind is 1 to 32 bytes of lowercase ASCII letters, digits and hyphens. Its text alone defines
/// how its sessions behave, so that every reader of a store knows. `incognito`, and any kind that
/// begins with `incognito-`, is incognito. ``role`` says how the kind behaves otherwise; a
/// kind without one of the prefixes listed there is a window.
public struct SessionKind: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    /// Creates a kind; `nil` if the text is not a legal kind.
    public init?(rawValue: String) {
        let legal = rawValue.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == 45
        }
        guard legal, (1...32).contains(rawValue.utf8.count) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: String) { rawValue = known }

    /// The ordinary tabs of a window.
    public static let regular = SessionKind(known: "regular")
    /// The incognito tabs of a window, stored in the incognito partition.
    public static let incognito = SessionKind(known: "incognito")
    /// Tabs that were not used for a long time.
    public static let inactive = SessionKind(known: "inactive")
    /// Closed tabs that can be opened again.
    public static let recentlyClosed = SessionKind(known: "recently-closed")
    /// Tabs that were set aside after a crash.
    public static let setAside = SessionKind(known: "set-aside")

    /// The spaces, containers and tabs of a profile that belong to no window.
    public static let library = SessionKind(known: "library")
    /// The same for the incognito partition.
    package static let incognitoLibrary = SessionKind(known: "incognito-library")
    /// Tabs that were closed together and can still be restored as they were.
    package static let backup = SessionKind(known: "backup")
    /// A restorer's notes about its own process.
    package static let launch = SessionKind(known: "launch")
    /// Tabs that are moving between two windows after the first window closed.
    package static let transit = SessionKind(known: "in-transit")
    /// The same for tabs of the incognito partition.
    package static let incognitoTransit = SessionKind(known: "incognito-in-transit")

    /// The partition of the store that holds sessions of this kind.
    public var partition: StoragePartition {
        rawValue == "incognito" || rawValue.hasPrefix("incognito-") ? .incognito : .regular
    }
}

extension SessionKind {
    /// How sessions of a kind behave.
    public enum Role: Hashable, Sendable, CaseIterable {
        /// A window of the user. It is restored at launch if it was open, can be reopened if it was
        /// closed, and is listed and exported as a window.
        case window
        /// A part of the regular window with the same identifier. It opens and closes with that
        /// window, and is not listed or counted as a window.
        case companion
        /// What belongs to the whole profile and to no window: spaces, containers, and tabs that
        /// several windows show. It is restored before any window.
        case library
        /// A session kept for later. It is listed, and never opens by itself.
        case shelf
        /// Facts without tabs of the user. They are not listed or exported.
        case notes
    }

    /// How sessions of this kind behave.
    ///
    /// `inactive` and `backup` are companions; `recently-closed`, `set-aside` and `in-transit` are
    /// shelves; `library` is the library; `launch` is notes. Other kinds that begin with `companion-`, `shelf-` or `notes-`
    /// have that role, and all others are windows. The same applies after `incognito-`, except for
    /// incognito tabs that are closed, set aside or inactive. Those are in a window, because
    /// nothing incognito is kept for later.
    public var role: Role {
        let prefix = "incognito-"
        let isIncognito = rawValue.hasPrefix(prefix)
        let name = isIncognito ? rawValue.dropFirst(prefix.count) : rawValue[...]
        switch name {
        case "inactive", "backup": return isIncognito ? .window : .companion
        case "recently-closed", "set-aside": return isIncognito ? .window : .shelf
        case "in-transit": return .shelf
        case "library": return .library
        case "launch": return .notes
        default: break
        }
        if name.hasPrefix("companion-") { return .companion }
        if name.hasPrefix("shelf-") { return .shelf }
        return name.hasPrefix("notes-") ? .notes : .window
    }

    /// Whether its tabs are open: in a window, inactive, or in the library. A store counts the tabs that
    /// leave such sessions; see ``RestorePoint/Reason/beforeLoss``.
    package var isOpen: Bool {
        switch role {
        case .window, .library: true
        case .companion: self == .inactive
        case .shelf, .notes: false
        }
    }
}

extension SessionKind: ExpressibleByStringLiteral {
    /// Creates a kind from a literal. An illegal kind stops the program. For text from elsewhere,
    /// use `init(rawValue:)`.
    public init(stringLiteral text: StaticString) {
        guard let kind = Self(rawValue: "\(text)") else {
            preconditionFailure("'\(text)' is no legal kind of session")
        }
        self = kind
    }
}

/// One of the two physically separate partitions of a store.
public enum StoragePartition: String, Hashable, Sendable, CaseIterable {
    /// The partition of all sessions that are not incognito.
    case regular
    /// The partition of sessions that are incognito; see ``SessionKind/partition``.
    case incognito
}
