/// What is saved about a session, in addition to its tabs and other nodes.
public struct SessionAttributes: Hashable, Sendable {
    /// A name given by the user; empty if there is none.
    public var title: String
    /// The active tab; `nil` if there is none. One outside the session is repaired on restore.
    public var activeTab: TabID?
    /// When the session was created; ``Timestamp/unknown`` if that was not recorded.
    public var createdAt: Timestamp
    /// When the user last turned to the session; ``Timestamp/unknown`` if that was not recorded.
    public var lastActiveAt: Timestamp
    /// Small attributes that belong to the host, such as a window's frame; kept as given.
    public var properties: [String: String]
    /// Fields that a newer version wrote, kept as they were found.
    package internal(set) var unknownFields: [UInt8] = []

    /// Creates attributes. Those that are left out are empty or unknown.
    public init(
        title: String = "",
        activeTab: TabID? = nil,
        createdAt: Timestamp = .unknown,
        lastActiveAt: Timestamp = .unknown,
        properties: [String: String] = [:]
    ) {
        self.title = title
        self.activeTab = activeTab
        self.createdAt = createdAt
        self.lastActiveAt = lastActiveAt
        self.properties = properties
    }
}

// Message `SessionAttributes` of records.proto.
extension SessionAttributes: FieldRecord {
    package static var blank: SessionAttributes { SessionAttributes() }

    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(Field(1, "title"), &title)
        try visitor.identifier(Field(2, "activeTab"), &activeTab)
        try visitor.time(Field(3, "createdAt"), &createdAt)
        try visitor.time(Field(4, "lastActiveAt"), &lastActiveAt)
        try visitor.texts(Field(5, "properties"), &properties)
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
