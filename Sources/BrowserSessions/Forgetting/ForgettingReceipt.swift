/// What a store forgot, or would forget, in numbers alone.
public struct ForgettingReceipt: Hashable, Sendable {
    /// Tabs that were closed, alone or with their window, inactive, set aside or otherwise kept for later.
    public var closedTabs = 0
    /// Entries of the histories of other tabs.
    public var historyEntries = 0
    /// States that nothing can be taken out of, such as those of a web engine: of tabs that had a site, and
    /// those that name one.
    public var states = 0
    /// Tabs that restore points had, each counted once.
    public var earlierTabs = 0
    /// Items of the quarantine; all of it is removed.
    public var quarantined = 0
    /// Open tabs that show one of the sites. They stay, without what can be gone back to; close them
    /// first if they are to go.
    public var openTabs = 0

    /// Creates a receipt of nothing.
    public init() {}

    /// Adds what another receipt has.
    package mutating func add(_ other: Self) {
        closedTabs += other.closedTabs
        historyEntries += other.historyEntries
        states += other.states
        earlierTabs += other.earlierTabs
        quarantined += other.quarantined
        openTabs += other.openTabs
    }
}
