/// What a menu shows of a session, without restoring it.
public struct SessionSummary: Hashable, Sendable {
    /// The identifier with which the session can be restored.
    public var id: SessionID
    /// The title in the session's attributes; empty if it has none.
    public var title: String
    /// The number of tabs in the session.
    public var tabCount: Int
    /// The latest of the session's own time and the times of its tabs.
    public var lastActiveAt: Timestamp
    /// The size in bytes of its attributes, its tabs and their state, as stored.
    public var byteCount: Int

    /// Creates a summary, with the size of the session as it is stored.
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
