/// What is saved of a session beside its tabs.
public struct SessionAttributes: Hashable, Sendable {
    /// A name given by the user; empty if there is none.
    public var title: String
    /// `nil` if no tab is active. A tab that the session does not hold is repaired on restore.
    public var activeTab: TabID?
    /// The groups of the session; which tabs are in them is in ``TabMetadata/group``.
    public var groups: [TabGroup]
    public var createdAt: Timestamp
    public var lastActiveAt: Timestamp
    /// Small attributes that belong to the host (a window's frame); kept as given.
    public var properties: [String: String]
    /// Fields written by a newer version, kept as they were found.
    public internal(set) var unknownFields: [UInt8] = []

    public init(
        title: String = "",
        activeTab: TabID? = nil,
        groups: [TabGroup] = [],
        createdAt: Timestamp = .unknown,
        lastActiveAt: Timestamp = .unknown,
        properties: [String: String] = [:]
    ) {
        self.title = title
        self.activeTab = activeTab
        self.groups = groups
        self.createdAt = createdAt
        self.lastActiveAt = lastActiveAt
        self.properties = properties
    }
}

extension SessionAttributes {
    private static let closedAtName = "browser-sessions.closed-at"

    /// When the window of the session was closed; `nil` if it is open, or was when the app ended, and
    /// `Timestamp.unknown` if it was closed at a time that is not known.
    ///
    /// It is kept among the ``properties``, in microseconds since 1970. A text there that is no number
    /// counts as none.
    public var closedAt: Timestamp? {
        get {
            properties[Self.closedAtName].flatMap { Int64($0) }.map { Timestamp(microseconds: $0) }
        }
        set { properties[Self.closedAtName] = newValue.map { String($0.microseconds) } }
    }
}

/// A named, coloured run of neighbouring tabs.
public struct TabGroup: Hashable, Sendable {
    public var id: TabGroupID
    public var title: String
    public var color: TabGroupColor
    public var isCollapsed: Bool
    /// Fields written by a newer version, kept as they were found.
    public internal(set) var unknownFields: [UInt8] = []

    public init(
        id: TabGroupID = .random(), title: String = "", color: TabGroupColor = .grey,
        isCollapsed: Bool = false
    ) {
        self.id = id
        self.title = title
        self.color = color
        self.isCollapsed = isCollapsed
    }
}

/// The colour of a group. An open set: a value of a newer version is kept, not replaced.
public struct TabGroupColor: Hashable, Sendable, RawRepresentable {
    public var rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let grey = TabGroupColor(rawValue: 0)
    public static let blue = TabGroupColor(rawValue: 1)
    public static let red = TabGroupColor(rawValue: 2)
    public static let yellow = TabGroupColor(rawValue: 3)
    public static let green = TabGroupColor(rawValue: 4)
    public static let pink = TabGroupColor(rawValue: 5)
    public static let purple = TabGroupColor(rawValue: 6)
    public static let cyan = TabGroupColor(rawValue: 7)
    public static let orange = TabGroupColor(rawValue: 8)

    /// The colour's English name; `nil` for one that this version does not know.
    public var name: String? {
        let names = [
            "grey", "blue", "red", "yellow", "green", "pink", "purple", "cyan", "orange",
        ]
        return names.indices.contains(Int(rawValue)) ? names[Int(rawValue)] : nil
    }
}
