public import BrowserSessions

/// The summary of a tab in a list of windows or of closed tabs.
public struct TabGlance: Hashable, Sendable {
    /// The identifier of the tab.
    public var id: TabID
    /// The page's title; empty if there is none.
    public var title: String
    /// The address of the page; empty if there is none.
    public var url: String
    /// The address of the icon; empty if unknown.
    public var faviconURL: String

    /// Creates the summary of a tab from its metadata.
    public init(_ tab: TabMetadata) {
        id = tab.id
        title = tab.title
        url = tab.url
        faviconURL = tab.faviconURL
    }
}
