/// The name of a tab's state blob: 1 to 64 bytes of lowercase ASCII letters, digits, hyphens and
/// dots.
public struct StateName: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    /// Creates a name; `nil` if the text is not a legal name.
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
    /// The icon of the page, in a form that the host chooses.
    public static let icon = StateName(known: "icon")
}

extension StateName: ExpressibleByStringLiteral {
    /// Creates a name from a literal. An illegal name stops the program. For text from elsewhere,
    /// use `init(rawValue:)`.
    public init(stringLiteral text: StaticString) {
        guard let name = Self(rawValue: "\(text)") else {
            preconditionFailure("'\(text)' is no legal name of state")
        }
        self = name
    }
}

/// Identifies one state blob. The blob belongs to the tab, and stays where it is when the tab moves
/// to another session of the same partition. It is saved only in the partition of the tab; see
/// ``SessionChanges/Change/putState(_:for:)``.
public struct TabStateKey: Hashable, Sendable {
    /// The tab that the blob belongs to.
    public var tab: TabID
    /// The name that distinguishes the blob from others of the same tab.
    public var name: StateName
    /// The partition that holds the tab's session.
    public var partition: StoragePartition

    /// Creates the key of a blob of a tab in the given partition.
    public init(tab: TabID, name: StateName, partition: StoragePartition) {
        self.tab = tab
        self.name = name
        self.partition = partition
    }

    /// Creates the key of a tab's blob in the partition of a session.
    public init(tab: TabID, name: StateName, in session: SessionID) {
        self.init(tab: tab, name: name, partition: session.partition)
    }
}
