/// A correction of something in a restored session that broke a rule of its forest or its tabs.
public struct SessionRepair: Hashable, Sendable {
    /// What was corrected.
    public var kind: Kind
    /// The tab, if the correction is about one.
    public var tab: TabID?
    /// The node, if the correction is about one that is no tab.
    public var node: NodeID?
    /// The former parent of what was moved, or the former id of what was renamed; `nil` if there was
    /// none.
    public var oldParent: NodeID?
    /// The parent that it has now; `nil` at the top of the session.
    public var newParent: NodeID?

    /// The rule that was broken, and what was done about it.
    public enum Kind: String, Hashable, Sendable {
        /// A member of a group or split was pinned by itself, so it was taken out.
        case pinnedTabUngrouped
        /// A member named a node that the session does not have, so a plain group was made.
        case groupAdded
        /// A plain group without members was removed.
        case emptyGroupRemoved
        /// An opener was removed that was the tab itself or not in the session.
        case openerRemoved
        /// The active tab was not in the session, so the most recently used tab became active.
        case activeTabReplaced
        /// A negative number of history entries became 0.
        case navigationCountReset
        /// Two nodes had one id, so the second got another one.
        case doubleRenamed
        /// A branch named a parent that is not there, so it went to the end of its zone.
        case parentMissing
        /// Nodes were below each other, so one of them went to the top.
        case cycleCut
        /// A node was below one that has no such children, so it was lifted.
        case wrongParentLifted
        /// A node was deeper than a forest may be, 64 levels, so it was lifted.
        case tooDeepLifted
        /// A sibling came to where two others had one place, so the second of these got the next.
        case placeRenewed
        /// A split had one pane, so the pane took its place.
        case splitOfOneRemoved
        /// A split had no panes, so it was removed.
        case splitRemoved
        /// A negative weight became that of the mean.
        case weightReset
    }

    /// Creates a correction with its kind and what it is about.
    public init(
        _ kind: Kind, tab: TabID? = nil, node: NodeID? = nil, oldParent: NodeID? = nil,
        newParent: NodeID? = nil
    ) {
        self.kind = kind
        self.tab = tab
        self.node = node
        self.oldParent = oldParent
        self.newParent = newParent
    }
}
