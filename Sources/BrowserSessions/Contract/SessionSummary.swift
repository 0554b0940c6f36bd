/// What a menu shows of a session, without restoring it.
public struct SessionSummary: Hashable, Sendable {
    public var id: SessionID
    /// The title among its attributes; empty if it has none.
    public var title: String
    public var tabCount: Int
    /// The latest of the session's own time and those of its tabs.
    public var lastActiveAt: Timestamp
    /// How many bytes its attributes, its tabs and their state have, as they are stored.
    public var byteCount: Int

    public init(
        id: SessionID, title: String, tabCount: Int, lastActiveAt: Timestamp, byteCount: Int
    ) {
        self.id = id
        self.title = title
        self.tabCount = tabCount
        self.lastActiveAt = lastActiveAt
        self.byteCount = byteCount
    }
}
