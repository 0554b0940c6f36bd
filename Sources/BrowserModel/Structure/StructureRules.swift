public import BrowserSessions

/// What a host can show of a forest.
///
/// A list refuses a change that breaks its rules. A window that is opened with more is shown as far as
/// the rules go: a node that cannot be shown is passed by, and what is in it is shown where it stands.
/// The store keeps it all the same.
public struct StructureRules: Hashable, Sendable {
    /// How many groups may be in each other; 0 for no groups, 1 for groups that hold tabs alone.
    public var groupDepth: Int
    /// Whether a group can be pinned with all that is in it.
    public var pinsGroups: Bool
    /// Whether tabs can branch from a tab or a group, as in a tree of tabs.
    public var hasBranches: Bool
    /// How many panes a split can have; `nil` for no splits.
    public var paneCounts: ClosedRange<Int>?
    /// Whether a split can be in a split.
    public var nestsSplits: Bool
    /// Whether a split can be pinned.
    public var pinsSplits: Bool
    /// The zones of a window's tabs.
    public var zones: Set<NodeZone>
    /// Whether a tab that a page opens comes below the tab with the page, rather than behind it.
    public var opensBelow: Bool

    /// Creates rules; by default those of ``flatGroups``.
    public init(
        groupDepth: Int = 1, pinsGroups: Bool = false,
        hasBranches: Bool = false, paneCounts: ClosedRange<Int>? = nil, nestsSplits: Bool = false,
        pinsSplits: Bool = false, zones: Set<NodeZone> = [.normal, .pinned],
        opensBelow: Bool = false
    ) {
        self.groupDepth = groupDepth
        self.pinsGroups = pinsGroups
        self.hasBranches = hasBranches
        self.paneCounts = paneCounts
        self.nestsSplits = nestsSplits
        self.pinsSplits = pinsSplits
        self.zones = zones
        self.opensBelow = opensBelow
    }

    /// A list of tabs with groups, which are not in each other; pinned tabs are in none.
    public static let flatGroups = StructureRules()
    /// Chromium's: splits of two panes, in a group or pinned.
    public static let chromium = StructureRules(paneCounts: 2...2, pinsSplits: true)
    /// Firefox's: splits of two to six panes, in a group.
    public static let firefox = StructureRules(paneCounts: 2...6)
    /// Zen's: folders in folders, which can be pinned, nested splits, and essential tabs.
    public static let zen = StructureRules(
        groupDepth: 8, pinsGroups: true, paneCounts: 2...4, nestsSplits: true, pinsSplits: true,
        zones: [.normal, .pinned, .essential])
    /// Trees of tabs, as of Tree Style Tab and Sidebery, with groups.
    public static let trees = StructureRules(hasBranches: true, opensBelow: true)
    /// Everything that a store keeps.
    public static let everything = StructureRules(
        groupDepth: 64, pinsGroups: true, hasBranches: true, paneCounts: 2...64, nestsSplits: true,
        pinsSplits: true, zones: [.normal, .pinned, .essential])
}
