/// How an import treats what is in the store already.
public enum ImportMode: String, Hashable, Sendable, CaseIterable {
    /// What is new in the source is added, and what changed there and not here is updated. What changed
    /// here stays, and what was closed here stays closed.
    case merge
    /// Everything is added, as if nothing of it had been imported before; what is there stays.
    case addition
    /// The windows of the source become as the source has them: what was opened in them since goes, what
    /// was closed returns. Other windows stay.
    case replacement
}

/// What an import changes in a store, or would change.
public struct MergeCounts: Hashable, Sendable, Codable {
    /// Sessions that are new in the store, those of closed tabs included.
    public var sessionsAdded = 0
    /// Tabs that are new in the store, closed ones included.
    public var tabsAdded = 0
    /// How many of ``tabsAdded`` may be tabs that were imported before: several are alike, and which one
    /// is new is not known.
    public var ambiguous = 0
    /// Sessions that got the name, the properties or a group as the source has them.
    public var sessionsUpdated = 0
    /// Tabs that changed in the source and not here, and are as in the source now.
    public var tabsUpdated = 0
    /// Tabs that are here and did not change in the source, wherever the user has put them.
    public var unchanged = 0
    /// Tabs that changed in the source and here: they stay as they are here.
    public var kept = 0
    /// Tabs that were imported before and closed here since. They do not return.
    public var closedHere = 0
    /// Tabs that are here and that the source has closed or no longer has. They stay.
    public var goneInSource = 0
    /// Tabs that a replacement removes.
    public var tabsRemoved = 0

    public init() {}

    /// Whether nothing in the store becomes other than it is.
    public var changesNothing: Bool {
        sessionsAdded + tabsAdded + sessionsUpdated + tabsUpdated + tabsRemoved == 0
    }

    static func += (left: inout Self, right: Self) {
        left.sessionsAdded += right.sessionsAdded
        left.tabsAdded += right.tabsAdded
        left.ambiguous += right.ambiguous
        left.sessionsUpdated += right.sessionsUpdated
        left.tabsUpdated += right.tabsUpdated
        left.unchanged += right.unchanged
        left.kept += right.kept
        left.closedHere += right.closedHere
        left.goneInSource += right.goneInSource
        left.tabsRemoved += right.tabsRemoved
    }
}

/// What an ``ImportPlan`` does, source by source. It holds no address and no title.
public struct MergeReport: Hashable, Sendable {
    /// As many as ``ImportReport/sources``, in the same order.
    public var sources: [MergeCounts] = []
    /// Of all sources, and of sessions that are of none.
    public var totals = MergeCounts()
    /// How many records of earlier imports cannot be read and are given up: only as additions and as a
    /// replacement, since a merge is refused then.
    public var recordsGivenUp = 0

    public init() {}
}
