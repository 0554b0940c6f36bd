/// The way in which an import treats existing content of the store.
public enum ImportMode: String, Hashable, Sendable, CaseIterable {
    /// Adds what is new in the source, and updates what changed only there. What changed here stays
    /// as it is, and what was closed here stays closed. From a source with losses
    /// (`ImportedSource.isIncomplete`), it only adds.
    case merge
    /// Adds everything, as if nothing had been imported before. Existing content stays.
    case addition
    /// Makes the windows of the source equal to the source. Tabs that were opened in them since are
    /// removed, and closed tabs return. Other windows stay. It is refused for a source with losses.
    case replacement
}

/// The counts of what an import changes in a store, or would change.
public struct MergeCounts: Hashable, Sendable, Codable {
    /// The number of sessions that are new in the store, including those of closed tabs.
    public var sessionsAdded = 0
    /// The number of tabs that are new in the store, including closed ones.
    public var tabsAdded = 0
    /// The number of ``tabsAdded`` that may have been imported before. Several tabs are alike, and
    /// it is unknown which one is new.
    public var ambiguous = 0
    /// The number of sessions that got the name, the properties or a group from the source.
    public var sessionsUpdated = 0
    /// The number of tabs that changed only in the source, and are now as in the source.
    public var tabsUpdated = 0
    /// The number of tabs that are here and did not change in the source, wherever they are now.
    public var unchanged = 0
    /// The number of tabs that changed in the source and here. They stay as they are here.
    public var kept = 0
    /// The number of tabs that differ in a source with losses. They stay as they are here.
    public var unverified = 0
    /// The number of tabs that were imported before and closed here since. They do not return.
    public var closedHere = 0
    /// The number of tabs that are here and that the source closed or no longer has. They stay.
    public var goneInSource = 0
    /// The number of tabs that a replacement removes.
    public var tabsRemoved = 0

    /// Creates counts of zero.
    public init() {}

    /// Whether nothing in the store changes.
    public var changesNothing: Bool {
        sessionsAdded + tabsAdded + sessionsUpdated + tabsUpdated + tabsRemoved == 0
    }

    static func += (left: inout Self, right: Self) {
        for count in [
            \Self.sessionsAdded, \.tabsAdded, \.ambiguous, \.sessionsUpdated, \.tabsUpdated,
            \.unchanged, \.kept, \.unverified, \.closedHere, \.goneInSource, \.tabsRemoved,
        ] {
            left[keyPath: count] += right[keyPath: count]
        }
    }
}

/// The effects of an ``ImportPlan``, source by source. A report holds no address and no title.
public struct MergeReport: Hashable, Sendable {
    /// The counts for ``ImportReport/sources``, in the same order.
    public var sources: [MergeCounts] = []
    /// The paths of the profiles and files in which earlier imports found what each source was matched with,
    /// in the same order; empty for a source that is new.
    public var matched: [[String]] = []
    /// The counts for all sources, and for sessions that belong to no source.
    public var totals = MergeCounts()
    /// The number of records of earlier imports that cannot be read and are given up. This happens
    /// only in additions and replacements. A merge is refused instead.
    public var recordsGivenUp = 0

    /// Creates a report without sources.
    public init() {}
}
