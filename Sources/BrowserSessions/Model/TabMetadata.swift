/// All that is known of a tab without loading it: what an unrealized tab shows.
public struct TabMetadata: Hashable, Sendable {
    public var id: TabID
    /// The tab's place in its session; see ``OrderKey``.
    public var place: OrderKey
    /// The address of the active page; empty for a tab that never navigated.
    public var url: String
    public var title: String
    public var faviconURL: String
    public var createdAt: Timestamp
    public var lastActiveAt: Timestamp
    /// How many entries the tab's history has; negative values are repaired to 0 on restore.
    public var navigationItemCount: Int32
    /// Pinned tabs are the first of their session and in no group.
    public var isPinned: Bool
    public var group: TabGroupID?
    public var opener: TabOpener?
    /// Small attributes that belong to the host; the store keeps them as given.
    public var properties: [String: String]
    /// Fields written by a newer version, kept as they were found.
    public internal(set) var unknownFields: [UInt8] = []

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
        group: TabGroupID? = nil,
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
        self.isPinned = isPinned
        self.group = group
        self.opener = opener
        self.properties = properties
    }
}

/// The tab from which another was opened. Only tabs of the same session are openers.
public struct TabOpener: Hashable, Sendable {
    public var tab: TabID
    /// The index of the opener's history entry at that time.
    public var navigationIndex: Int32
    /// Fields written by a newer version, kept as they were found.
    public internal(set) var unknownFields: [UInt8] = []

    public init(tab: TabID, navigationIndex: Int32 = 0) {
        self.tab = tab
        self.navigationIndex = navigationIndex
    }
}
