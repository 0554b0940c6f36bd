public import BrowserSessions

/// What a list of windows or of closed tabs shows of a tab.
public struct TabGlance: Hashable, Sendable {
    public var id: TabID
    /// Empty if the page has none.
    public var title: String
    public var url: String
    /// The address of the icon; empty if none is known.
    public var faviconURL: String

    public init(_ tab: TabMetadata) {
        id = tab.id
        title = tab.title
        url = tab.url
        faviconURL = tab.faviconURL
    }
}
