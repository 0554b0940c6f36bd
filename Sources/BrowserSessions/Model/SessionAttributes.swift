/// What is saved about a session, in addition to its tabs.
public struct SessionAttributes: Hashable, Sendable {
    /// A name given by the user; empty if there is none.
    public var title: String
    /// The active tab; `nil` if there is none. One outside the session is repaired on restore.
    public var activeTab: TabID?
    /// The groups of the session. ``TabMetadata/group`` says which tabs are in them.
    public var groups: [TabGroup]
    /// When the session was created; ``Timestamp/unknown`` if that was not recorded.
    public var createdAt: Timestamp
    /// When the user last turned to the session; ``Timestamp/unknown`` if that was not recorded.
    public var lastActiveAt: Timestamp
    /// Small attributes that belong to the host, such as a window's frame; kept as given.
    public var properties: [String: String]
    /// Fields that a newer version wrote, kept as they were found.
    public internal(set) var unknownFields: [UInt8] = []

    /// Creates attributes. Those that are left out are empty or unknown.
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

// Message `SessionAttributes` of records.proto.
extension SessionAttributes: FieldRecord {
    package static var blank: SessionAttributes { SessionAttributes() }

    package mutating func visitFields<Visitor: FieldVisitor>(_ visitor: inout Visitor)
        throws(Visitor.Failure)
    {
        try visitor.text(Field(1, "title"), &title)
        try visitor.identifier(Field(2, "activeTab"), &activeTab)
        try visitor.records(Field(3, "groups"), &groups)
        try visitor.time(Field(4, "createdAt"), &createdAt)
        try visitor.time(Field(5, "lastActiveAt"), &lastActiveAt)
        try visitor.texts(Field(6, "properties"), &properties)
        try visitor.unknownFields(&unknownFields)
    }
}

extension SessionAttributes {
    private static let closedAtName = "browser-sessions.closed-at"

    /// When the session's window was closed; `nil` if it is open, or was when the app ended, and
    /// `Timestamp.unknown` if the time is unknown.
    ///
    /// It is kept in ``properties``, in microseconds since 1970. Text that is not a number counts
    /// as absent.
    public var closedAt: Timestamp? {
        get {
            properties[Self.closedAtName].flatMap { Int64($0) }.map { Timestamp(microseconds: $0) }
        }
        set { properties[Self.closedAtName] = newValue.map { String($0.microseconds) } }
    }
}

/// A named, colored run of neighboring tabs.
public struct TabGroup: Hashable, Sendable {
    /// The identifier by which ``TabMetadata/group`` names the group.
    public var id: TabGroupID
    /// The name of the group; empty if it has none.
    public var title: String
    /// The color of the group in the tab strip.
    public var color: TabGroupColor
    /// Whether the tabs of the group are hidden behind its name.
    public var isCollapsed: Bool
    /// Fields that a newer version wrote, kept as they were found.
    public internal(set) var unknownFields: [UInt8] = []

    /// Creates a group, by default gray, expanded, without a name and with a random identifier.
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

// Message `TabGroup` of records.proto.
extension TabGroup: FieldRecord {
    package static var blank: TabGroup { TabGroup(id: .zero) }

    package mutating func visitFields<Visitor: FieldVisitor>(_ visitor: inout Visitor)
        throws(Visitor.Failure)
    {
        try visitor.identifier(Field(1, "id"), &id)
        try visitor.text(Field(2, "title"), &title)
        try visitor.number(Field(3, "color"), &color.rawValue)
        try visitor.flag(Field(4, "isCollapsed"), &isCollapsed)
        try visitor.unknownFields(&unknownFields)
    }
}

/// The color of a group. An open set: a value from a newer version is kept, not replaced.
public struct TabGroupColor: Hashable, Sendable, RawRepresentable {
    public var rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Gray, the default; the raw value is 0.
    public static let grey = TabGroupColor(rawValue: 0)
    /// Blue; the raw value is 1.
    public static let blue = TabGroupColor(rawValue: 1)
    /// Red; the raw value is 2.
    public static let red = TabGroupColor(rawValue: 2)
    /// Yellow; the raw value is 3.
    public static let yellow = TabGroupColor(rawValue: 3)
    /// Green; the raw value is 4.
    public static let green = TabGroupColor(rawValue: 4)
    /// Pink; the raw value is 5.
    public static let pink = TabGroupColor(rawValue: 5)
    /// Purple; the raw value is 6.
    public static let purple = TabGroupColor(rawValue: 6)
    /// Cyan; the raw value is 7.
    public static let cyan = TabGroupColor(rawValue: 7)
    /// Orange; the raw value is 8.
    public static let orange = TabGroupColor(rawValue: 8)

    /// The color's English name; `nil` for a color that this version does not know.
    public var name: String? {
        let names = [
            "grey", "blue", "red", "yellow", "green", "pink", "purple", "cyan", "orange",
        ]
        return names.indices.contains(Int(rawValue)) ? names[Int(rawValue)] : nil
    }
}
