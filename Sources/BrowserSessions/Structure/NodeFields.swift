/// Marks identifiers of nodes.
public enum NodeSubject: ForestSubject {}

/// Identifies a node of a session's forest. Tabs are nodes, too: the identifier of a tab is one of a
/// node, and no other node of the same partition has it.
public typealias NodeID = Identifier<NodeSubject>

extension Identifier where Subject == NodeSubject {
    /// Creates the identifier of a tab as a node.
    @inlinable public init(_ tab: TabID) { self.init(high: tab.high, low: tab.low) }
}

extension Identifier where Subject == TabSubject {
    /// Creates the identifier of a tab from that of a node, which must be a tab.
    @inlinable public init(_ node: NodeID) { self.init(high: node.high, low: node.low) }
}

/// How a node is below its parent. An open set: a value from a newer version is kept.
public struct NodeEdge: Hashable, Sendable, RawRepresentable {
    /// The number in the record.
    public var rawValue: Int32

    /// Creates an edge from the number in a record.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Inside a group, a split, a space or a view; the raw value is 0.
    public static let member = NodeEdge(rawValue: 0)
    /// Below a tab, a group or a split, as in a tree of tabs; the raw value is 1.
    public static let branch = NodeEdge(rawValue: 1)
}

/// The part of a window, space or view that a node without another parent is in. An open set.
///
/// Siblings are ordered by zone first: essential, pinned, normal, and then those of newer versions.
public struct NodeZone: Hashable, Sendable, RawRepresentable {
    /// The number in the record.
    public var rawValue: Int32

    /// Creates a zone from the number in a record.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Where tabs usually are; the raw value is 0.
    public static let normal = NodeZone(rawValue: 0)
    /// Pinned; the raw value is 1.
    public static let pinned = NodeZone(rawValue: 1)
    /// Pinned in front of everything, in all spaces; the raw value is 2.
    public static let essential = NodeZone(rawValue: 2)

    /// The position among the zones.
    package var rank: Int64 {
        switch self {
        case .essential: 0
        case .pinned: 1
        case .normal: 2
        default: 3 + Int64(rawValue.magnitude)
        }
    }
}

/// How the panes of a split run. An open set.
public struct SplitAxis: Hashable, Sendable, RawRepresentable {
    /// The number in the record.
    public var rawValue: Int32

    /// Creates an axis from the number in a record.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Next to each other, from left to right; the raw value is 0.
    public static let row = SplitAxis(rawValue: 0)
    /// One above another; the raw value is 1.
    public static let column = SplitAxis(rawValue: 1)
}

/// The page that a pinned tab returns to.
public struct PinnedPage: Hashable, Sendable {
    /// The address.
    public var url: String
    /// The title; empty if it has none.
    public var title: String
    /// The address of its icon; empty if it has none.
    public var faviconURL: String
    /// Fields that a newer version wrote, kept as they were found.
    package internal(set) var unknownFields: [UInt8] = []

    /// Creates a page from its address.
    public init(url: String, title: String = "", faviconURL: String = "") {
        self.url = url
        self.title = title
        self.faviconURL = faviconURL
    }
}

// Message `PinnedPage` of records.proto.
extension PinnedPage: FieldRecord {
    package static var blank: PinnedPage { PinnedPage(url: "") }

    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(Field(1, "url"), &url)
        try visitor.text(Field(2, "title"), &title)
        try visitor.text(Field(3, "faviconURL"), &faviconURL)
        try visitor.unknownFields(&unknownFields)
    }
}

/// Where a node was before it was closed, archived or saved, or before what it was in went: a branch of a
/// tab that was closed, or the last pane of a split, names its former parent until somebody moves it.
public struct FormerPlace: Hashable, Sendable {
    /// The session that the node was in, as `SessionID.description`; empty if it is unknown.
    package var session: String
    /// The node that it was below; `nil` if there was none.
    package var parent: NodeID?
    /// How it was below that.
    package var edge: NodeEdge
    /// The zone that it was in there.
    package var zone: NodeZone
    /// Its order among the siblings there; `nil` if it is unknown.
    package var place: OrderKey?
    /// Its share in a split; 0 for that of the mean.
    package var weight: Int32
    /// The sibling before it; `nil` if it was the first.
    package var previous: NodeID?
    /// The index of its first tab among all tabs of the session; `nil` if it is unknown.
    package var index: Int?
    /// When it went; ``Timestamp/unknown`` if that was not recorded.
    package var time: Timestamp
    /// Why it went: `user`, `automatic`, `window`, or a word of the host; empty if it is unknown.
    package var reason: String
    /// What nodes that went by one act have in common; `nil` if it went alone.
    package var batch: NodeID?
    /// Fields that a newer version wrote, kept as they were found.
    package internal(set) var unknownFields: [UInt8] = []

    /// Creates a place about which nothing is known.
    package init() {
        session = ""
        edge = .member
        zone = .normal
        weight = 0
        time = .unknown
        reason = ""
    }
}

// Message `FormerPlace` of records.proto.
extension FormerPlace: FieldRecord {
    package static var blank: FormerPlace { FormerPlace() }

    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(Field(1, "session"), &session)
        try visitor.identifier(Field(2, "parent"), &parent)
        try visitor.number(Field(3, "edge"), &edge.rawValue)
        try visitor.identifier(Field(4, "previous"), &previous)
        try visitor.index(Field(5, "index"), &index)
        try visitor.time(Field(6, "time"), &time)
        try visitor.text(Field(7, "reason"), &reason)
        try visitor.identifier(Field(8, "batch"), &batch)
        try visitor.order(Field(9, "orderKey"), &place)
        try visitor.number(Field(10, "zone"), &zone.rawValue)
        try visitor.number(Field(11, "weight"), &weight)
        try visitor.unknownFields(&unknownFields)
    }
}
