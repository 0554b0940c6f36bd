/// A correction of something in a restored session that broke a rule of tab lists.
public struct SessionRepair: Hashable, Sendable {
    /// What was corrected.
    public var kind: Kind
    /// The tab, if the correction is about one.
    public var tab: TabID?
    /// The group, if the correction is about one.
    public var group: TabGroupID?

    /// The rule that was broken, and what was done about it.
    public enum Kind: String, Hashable, Sendable {
        /// Pinned tabs come first, so the tab was moved up.
        case pinnedTabMoved
        /// A pinned tab is in no group, so it was taken out.
        case pinnedTabUngrouped
        /// The tabs of a group are neighbors, so the tab was moved to its group.
        case groupedTabMoved
        /// A tab named a group that the session does not have, so the group was added.
        case groupAdded
        /// A group without tabs was removed.
        case emptyGroupRemoved
        /// A group was listed twice, so only the first was kept.
        case duplicateGroupRemoved
        /// An opener was removed that was the tab itself or not in the session.
        case openerRemoved
        /// The active tab was not in the session, so the most recently used tab became active.
        case activeTabReplaced
        /// A negative number of history entries became 0.
        case navigationCountReset
    }

    /// Creates a correction with its kind and the tab or group that it is about.
    public init(_ kind: Kind, tab: TabID? = nil, group: TabGroupID? = nil) {
        self.kind = kind
        self.tab = tab
        self.group = group
    }
}
