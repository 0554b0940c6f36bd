/// A tab that is in no session any more, as a restore point has it; see ``SessionStorage/earlierTabs()``.
public struct EarlierTab: Hashable, Sendable {
    /// The tab as it was at the point.
    public var tab: TabMetadata
    /// The session that it was in.
    public var session: SessionID
    /// The title of that session; empty if it had none.
    public var sessionTitle: String
    /// The newest restore point that has the tab.
    public var point: RestorePointID

    /// Creates a tab as it was at a point.
    public init(
        _ tab: TabMetadata, in session: SessionID, titled sessionTitle: String = "",
        at point: RestorePointID
    ) {
        self.tab = tab
        self.session = session
        self.sessionTitle = sessionTitle
        self.point = point
    }
}
