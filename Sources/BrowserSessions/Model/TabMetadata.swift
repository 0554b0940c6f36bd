/// Everything that is known about a tab without loading it: what an unrealized tab shows.
public struct TabMetadata: Hashable, Sendable {
    /// The identifier, which stays the same when the tab moves to another session.
    public var id: TabID
    /// The order among the siblings of one edge and zone; see ``OrderKey``.
    public var place: OrderKey
    /// The node that the tab is below; `nil` at the top of the session.
    public var parent: NodeID?
    /// How it is below its parent.
    public var edge: NodeEdge
    /// The part of its window, space or view; only at the top or directly in a space or view.
    public var zone: NodeZone
    /// The address of the active page; empty for a tab that never navigated.
    public var url: String
    /// The title of the active page; empty if it has none.
    public var title: String
    /// The address of the icon of the active page; empty if it has none.
    public var faviconURL: String
    /// When the tab was opened; ``Timestamp/unknown`` if that was not recorded.
    public var createdAt: Timestamp
    /// When the user last saw the tab, or else when it was opened; ``Timestamp/unknown`` if neither
    /// was recorded.
    public var lastActiveAt: Timestamp
    /// The number of entries in the tab's history. Negative values are repaired to 0 on restore.
    public var navigationItemCount: Int32
    /// The tab from which this one was opened; `nil` if there is none.
    public var opener: TabOpener?
    /// Small attributes that belong to the host; the store keeps them as given.
    public var properties: [String: String]
    /// Fields that a newer version wrote, kept as they were found.
    package internal(set) var unknownFields: [UInt8] = []
    /// The fields that few tabs have; `nil` if this one has none of them.
    package private(set) var rare: TabRareFields.Box?

    /// Creates the metadata of a tab. What is left out is empty or unknown.
    public init(
        id: TabID,
        place: OrderKey,
        url: String = "",
        title: String = "",
        faviconURL: String = "",
        createdAt: Timestamp = .unknown,
        lastActiveAt: Timestamp = .unknown,
        navigationItemCount: Int32 = 0,
        isPinned: Bool = false,
        group: NodeID? = nil,
        opener: TabOpener? = nil,
        properties: [String: String] = [:]
    ) {
        self.id = id
        self.place = place
        self.url = url
        self.title = title
        self.faviconURL = faviconURL
        self.createdAt = createdAt
        self.lastActiveAt = lastActiveAt
        self.navigationItemCount = navigationItemCount
        parent = group
        edge = .member
        zone = isPinned ? .pinned : .normal
        self.opener = opener
        self.properties = properties
    }
}

// Message `TabMetadata` of records.proto.
extension TabMetadata: FieldRecord {
    package static var blank: TabMetadata {
        TabMetadata(id: .zero, place: .middle)
    }

    /// Visits all fields except the ID, which is in the record's key.
    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.order(Field(1, "orderKey"), &place)
        try visitor.text(Field(2, "url"), &url)
        try visitor.text(Field(3, "title"), &title)
        try visitor.time(Field(4, "createdAt"), &createdAt)
        try visitor.time(Field(5, "lastActiveAt"), &lastActiveAt)
        try visitor.number(Field(6, "navigationItemCount"), &navigationItemCount)
        try visitor.number(Field(7, "zone"), &zone.rawValue)
        try visitor.identifier(Field(8, "parent"), &parent)
        try visitor.record(Field(9, "opener"), &opener)
        try visitor.text(Field(10, "faviconURL"), &faviconURL)
        try visitor.texts(Field(11, "properties"), &properties)
        try visitor.number(Field(12, "edge"), &edge.rawValue)
        guard !visitor.isAtEnd else { return }
        if rare != nil || !visitor.omitsAbsent {
            var rare = rareFields
            try rare.visitFields(&visitor)
            rareFields = rare
        }
        try visitor.unknownFields(&unknownFields)
    }
}

extension TabMetadata {
    /// Whether the tab is pinned by itself; not what the group above it is.
    @inlinable public var isPinned: Bool {
        get { zone.rawValue != 0 }
        set { zone = newValue ? .pinned : .normal }
    }

    /// The node that the tab is a member of; `nil` if it is in none. Usually a group.
    @inlinable public var group: NodeID? {
        get { edge.rawValue == 1 ? nil : parent }
        set { (parent, edge) = (newValue, .member) }
    }

    var rareFields: TabRareFields {
        get { rare?.fields ?? .none }
        set {
            if newValue.isNone {
                rare = nil
            } else if rare?.fields != newValue {
                rare = TabRareFields.Box(newValue)
            }
        }
    }
}

/// The tab from which another was opened. Only tabs of the same session are openers.
public struct TabOpener: Hashable, Sendable {
    /// The tab from which the other one was opened.
    public var tab: TabID
    /// The index of the opener's history entry at that time.
    public var navigationIndex: Int32
    /// Fields that a newer version wrote, kept as they were found.
    package internal(set) var unknownFields: [UInt8] = []

    /// Creates an opener, by default with its first history entry.
    public init(tab: TabID, navigationIndex: Int32 = 0) {
        self.tab = tab
        self.navigationIndex = navigationIndex
    }
}

// Message `TabOpener` of records.proto.
extension TabOpener: FieldRecord {
    package static var blank: TabOpener { TabOpener(tab: .zero) }

    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.identifier(Field(1, "tab"), &tab)
        try visitor.number(Field(2, "navigationIndex"), &navigationIndex)
        try visitor.unknownFields(&unknownFields)
    }
}
