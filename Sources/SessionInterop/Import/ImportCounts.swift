/// The counts of what a source contained. Closed windows and tabs are counted separately.
public struct ImportCounts: Hashable, Sendable {
    /// The number of open windows. A window counts once if a file also has its incognito session.
    public var windows = 0
    /// The number of open tabs.
    public var tabs = 0
    /// The number of history entries of open tabs, not counting frames.
    public var entries = 0
    /// The number of entries of frames inside the pages of open tabs.
    public var subframeEntries = 0
    /// The number of groups of open windows.
    public var groups = 0
    /// The number of closed windows that can be opened again.
    public var closedWindows = 0
    /// The number of closed tabs, including those of closed windows.
    public var closedTabs = 0
    /// The number of history entries of closed tabs.
    public var closedEntries = 0
    /// The number of blobs of other browsers' engines.
    public var nativeStates = 0
    /// The number of records of a log; 0 for formats without a log.
    public var records = 0
    /// The number of records with a command that this version does not know.
    public var unknownRecords = 0
    /// The number of distinct history entries in the log, including those of closed tabs.
    public var distinctNavigations = 0

    /// Creates counts of zero.
    public init() {}

    static func += (left: inout Self, right: Self) {
        for count in [
            \Self.windows, \.tabs, \.entries, \.subframeEntries, \.groups, \.closedWindows,
            \.closedTabs, \.closedEntries, \.nativeStates, \.records, \.unknownRecords,
            \.distinctNavigations,
        ] {
            left[keyPath: count] += right[keyPath: count]
        }
    }
}
