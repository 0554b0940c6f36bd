/// Something in a restored session that broke a rule of tab lists and was put right.
public struct SessionRepair: Hashable, Sendable {
    public var kind: Kind
    /// The tab, if it is about one.
    public var tab: TabID?
    /// The group, if it is about one.
    public var group: TabGroupID?

    public enum Kind: String, Hashable, Sendable {
        /// Pinned tabs come first: the tab was moved up.
        case pinnedTabMoved
        /// A pinned tab is in no group: it was taken out.
        case pinnedTabUngrouped
        /// The tabs of a group are neighbours: the tab was moved to its group.
        case groupedTabMoved
        /// A tab named a group that the session does not have: the group was added.
        case groupAdded
        /// A group without tabs was removed.
        case emptyGroupRemoved
        /// A group was listed twice: the first stays.
        case duplicateGroupRemoved
        /// An opener that is the tab itself or not in the session was removed.
        case openerRemoved
        /// The active tab is not in the session: the tab used last is active.
        case activeTabReplaced
        /// A negative number of history entries became 0.
        case navigationCountReset
    }

    public init(_ kind: Kind, tab: TabID? = nil, group: TabGroupID? = nil) {
        self.kind = kind
        self.tab = tab
        self.group = group
    }
}
