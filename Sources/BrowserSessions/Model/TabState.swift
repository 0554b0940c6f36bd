/// The name of one of a tab's state blobs: 1 to 64 bytes of lower-case ASCII letters, digits,
/// hyphens and dots.
public struct StateName: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    /// `nil` if the text is not a legal name.
    public init?(rawValue: String) {
        let legal = rawValue.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46
        }
        guard legal, (1...64).contains(rawValue.utf8.count) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: String) { rawValue = known }

    /// The tab's history: an encoded ``NavigationHistory``.
    public static let navigation = StateName(known: "navigation")
    /// Opaque bytes of the host's web engine.
    public static let native = StateName(known: "native")
    /// The icon of the page, in a form of the host's choice.
    public static let icon = StateName(known: "icon")
}

extension StateName: ExpressibleByStringLiteral {
    /// A name written in code. One that is not legal stops the program: for a text that comes from elsewhere,
    /// use `init(rawValue:)`.
    public init(stringLiteral text: StaticString) {
        guard let name = Self(rawValue: "\(text)") else {
            preconditionFailure("'\(text)' is no legal name of state")
        }
        self = name
    }
}

/// Names one state blob. The blob belongs to the tab and stays where it is when the tab moves to
/// another session of the same side. It is saved only where the tab is: see
/// ``SessionChanges/Change/putState(_:for:)``.
public struct TabStateKey: Hashable, Sendable {
    public var tab: TabID
    public var name: StateName
    /// The side on which the tab's session lives.
    public var side: StorageSide

    public init(tab: TabID, name: StateName, side: StorageSide) {
        self.tab = tab
        self.name = name
        self.side = side
    }

    /// The blob of a tab in a session: on its side.
    public init(tab: TabID, name: StateName, in session: SessionID) {
        self.init(tab: tab, name: name, side: session.side)
    }
}
