/// A rule that a change of a list's structure would break: one that holds for each forest, or one of the
/// list's ``StructureRules``.
public enum StructureRule: Hashable, Sendable {
    /// A node cannot be below itself.
    case belowItself
    /// Only groups, splits, spaces and views have members; branches come from tabs, groups and splits.
    case parent
    /// Only tabs and splits are in a split.
    case pane
    /// Spaces, views and containers are below nothing.
    case top
    /// What branches from a split, or from a group without a style, cannot be all that is in it.
    case members
    /// Nothing is deeper than `SessionForest.maximumDepth`.
    case depth
    /// The list does not have groups that deep: see ``StructureRules/groupDepth``.
    case groupDepth
    /// The list does not have branches: see ``StructureRules/hasBranches``.
    case branches
    /// The list does not have splits with so many panes, or so few: see ``StructureRules/paneCounts``.
    case paneCount
    /// The list does not have splits in splits: see ``StructureRules/nestsSplits``.
    case nestedSplit
    /// The list does not pin groups: see ``StructureRules/pinsGroups``.
    case pinnedGroup
    /// The list does not pin splits: see ``StructureRules/pinsSplits``.
    case pinnedSplit
    /// The list does not have the zone: see ``StructureRules/zones``.
    case zone
}
