/// What kind of place a session is. An open set: hosts may add kinds of their own.
///
/// A kind is 1 to 32 bytes of lower-case ASCII letters, digits and hyphens. Its text alone says how
/// sessions of it behave, so that every reader of a store knows: `incognito`, or `incognito-` and more,
/// is off the record; ``role`` says what it is otherwise. A kind without one of the
/// prefixes there is a window.
public struct SessionKind: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    /// `nil` if the text is not a legal kind.
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
    /// The off-the-record tabs of a window; stored on the incognito side.
    public static let incognito = SessionKind(known: "incognito")
    /// Tabs that were not used for a long time.
    public static let inactive = SessionKind(known: "inactive")
    /// Tabs that were closed and can be opened again.
    public static let recentlyClosed = SessionKind(known: "recently-closed")
    /// Tabs that were set aside after a crash.
    public static let setAside = SessionKind(known: "set-aside")

    /// Tabs that were closed together and can still be brought back as they were.
    public static let backup = SessionKind(known: "backup")
    /// What a restorer notes of its own process.
    public static let launch = SessionKind(known: "launch")
    /// Tabs between two windows, whose first one is gone.
    public static let transit = SessionKind(known: "in-transit")
    /// Those of the off-the-record side.
    public static let incognitoTransit = SessionKind(known: "incognito-in-transit")

    /// The side of the store on which sessions of this kind live.
    public var side: StorageSide {
        rawValue == "incognito" || rawValue.hasPrefix("incognito-") ? .incognito : .regular
    }
}

extension SessionKind {
    /// How sessions of a kind behave.
    public enum Role: Hashable, Sendable, CaseIterable {
        /// A window of the user. It comes back at launch if it was open, can be reopened if it was closed,
        /// and is listed and exported as a window.
        case window
        /// A place of the regular window with the same identifier. It is opened and closed with that
        /// window, and is no window in a list or a count.
        case companion
        /// Kept for later: listed, and never opened by itself.
        case shelf
        /// Facts without tabs of the user; in no list, and no part of an export.
        case notes
    }

    /// How sessions of this kind behave.
    ///
    /// `inactive` and `backup` are companions; `recently-closed`, `set-aside` and `in-transit` are
    /// shelves; `launch` is notes. Of other kinds, those that begin with `companion-`, `shelf-` or
    /// `notes-` are what this says, and all others are windows. The same holds behind `incognito-`, but
    /// for tabs that are off the record and closed, set aside or inactive: there they are in a window, as
    /// nothing off the record is kept for later.
    public var role: Role {
        let prefix = "incognito-"
        let isOffTheRecord = rawValue.hasPrefix(prefix)
        let name = isOffTheRecord ? rawValue.dropFirst(prefix.count) : rawValue[...]
        switch name {
        case "inactive", "backup": return isOffTheRecord ? .window : .companion
        case "recently-closed", "set-aside": return isOffTheRecord ? .window : .shelf
        case "in-transit": return .shelf
        case "launch": return .notes
        default: break
        }
        if name.hasPrefix("companion-") { return .companion }
        if name.hasPrefix("shelf-") { return .shelf }
        return name.hasPrefix("notes-") ? .notes : .window
    }
}

extension SessionKind: ExpressibleByStringLiteral {
    /// A kind written in code. One that is not legal stops the program: for a text that comes from elsewhere,
    /// use `init(rawValue:)`.
    public init(stringLiteral text: StaticString) {
        guard let kind = Self(rawValue: "\(text)") else {
            preconditionFailure("'\(text)' is no legal kind of session")
        }
        self = kind
    }
}

/// One of the two physically separate halves of a store.
public enum StorageSide: String, Hashable, Sendable, CaseIterable {
    case regular
    case incognito
}
