public import BrowserSessions

/// A change to a tab list, reported after it happened.
///
/// What is large is apart, so that the others are passed on at little cost.
public enum TabListChange {
    /// A tab was inserted.
    case inserted(Tab, at: Int)
    /// Saved tabs and nodes were inserted in their order, those of each zone before the existing ones. Reported once, because a list can get thousands of them: a
    /// mirror should read the whole list again.
    case restored([Tab])
    /// A tab was removed: it was closed, or detached to enter another list.
    indirect case removed(TabRemoval)
    /// A tab replaced another one, which was closed; for example a prerendered page. If the old tab
    /// was active, the new tab is, and this is reported too.
    indirect case replaced(TabRemoval, with: Tab)
    /// A tab moved. The tabs between the two indexes shifted by one.
    case moved(Tab, from: Int, to: Int)
    /// A node, or a tab with others below it, moved with all that is below it: the adjacent
    /// tabs, and the former and new index of the first. Of the saved records, only that of the
    /// node or tab has changed.
    case subtreeMoved(NodeID, [Tab], from: Int, to: Int)
    /// A tab was pinned or unpinned, joined or left a node, or got another opener; or its order
    /// key changed because of others.
    case attributesChanged(Tab, at: Int)
    /// A group, split or other node that is no tab was created, renamed, recolored, collapsed or
    /// expanded.
    case nodeChanged(NodeID)
    /// A node that is no tab ended: it was dissolved or closed, or too little was left in it. Its
    /// `closedFrom` says where it was.
    indirect case nodeEnded(StructureNode)
    /// Another tab became active, or none.
    case activated(Tab?, previous: Tab?)
    /// Tabs and nodes got a new place, because no order key was left between two of them.
    case renumbered
    /// An event of a tab in the list.
    case tab(Tab, TabEvent)
    /// A batch of changes began. The changes in it are still reported one by one.
    case batchBegan
    /// The outermost batch ended.
    case batchEnded
}

/// A tab that left its list, with its attributes there.
public struct TabRemoval {
    /// The tab. If it is being closed, it ends only after the observers are notified.
    public var tab: Tab
    /// The tab's former index.
    public var index: Int
    /// Whether the tab was pinned, by itself or with what it was in.
    package var isPinned: Bool
    /// The tab's former group, as the list's rules show it; `nil` if it was not in one.
    package var group: StructureNode?
    /// Where the tab was in the forest; if what it was in was closed before and the tab was not moved
    /// since, where it belongs.
    package var formerPlace: FormerPlace
    /// The tab that opened this one; `nil` if there was none in the list.
    package var opener: TabOpener?
    /// Whether the tab was the active one of the list.
    public var wasActive: Bool
    /// The reason for closing; `nil` if the tab was detached and is still open.
    public var closing: ClosingReason?
}

/// The reason for closing tabs.
public enum ClosingReason: Hashable, Sendable {
    /// The user closed the tab, or cleared everything.
    case user
    /// The app cleaned up, for example duplicates or tabs that were unused for a long time.
    case cleanup
    /// The app itself, not at the user's request. A session restorer keeps the tab among the closed ones,
    /// and the state before many tabs go this way.
    case program
    /// Another tab replaced this one.
    case replacement

    /// Whether a session restorer keeps what is closed, so that the user can reopen it.
    package var isUndoable: Bool { self == .user || self == .program }
}

/// The reason a tab list refused a change. Nothing was changed.
public enum TabListError: Error, Hashable, Sendable {
    /// The tab is not in this list: it was closed, moved to another list, or never inserted.
    case unknownTab(TabID)
    /// The tab is already in a list. Detach it there first.
    case alreadyInserted(TabID)
    /// Another tab of the profile has this identifier. Give the new tab another one.
    case duplicateIdentifier(TabID)
    /// The tab was closed.
    case closed(TabID)
    /// A tab cannot be both pinned and in a group.
    case pinnedInGroup(TabID)
    /// The tab or node would break a rule of the list.
    case breaksRule(NodeID, StructureRule)
    /// The opener is not a tab of this list, or is the tab itself.
    case unknownOpener(TabID)
    /// The list has no such group or other node, or not where a target says.
    case unknownNode(NodeID)
    /// A list of the profile already has a node with this identifier.
    case duplicateNode(NodeID)
    /// A split, or a group without a style, needs something in it.
    case emptyNode(NodeID)
    /// A tab cannot move between the regular and the incognito partition.
    case crossesPartitions(TabID)
    /// A tab cannot move from one profile to another.
    case crossesProfiles(TabID)
    /// The list's window was closed, so inserted tabs would never be saved.
    case windowClosed
    /// The list was changed while its observers were being notified. In a debug build, the program
    /// stops instead.
    case reentrant
}

extension TabListError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownTab(let tab):
            "Tab \(tab) is not in this list: it was closed, or is in another (see Tab.list)."
        case .alreadyInserted(let tab): "Tab \(tab) is in a list already: detach it there first."
        case .duplicateIdentifier(let tab):
            "Another tab of the profile is \(tab): give the new one an identifier of its own."
        case .closed(let tab): "Tab \(tab) was closed: make a new one, or reopen it."
        case .pinnedInGroup(let tab): "Tab \(tab) can't be both pinned and in a group: choose one."
        case .unknownOpener(let tab): "The opener \(tab) is not another tab of this list."
        case .breaksRule(let node, let rule):
            "\(node) can't go there: this breaks the rule \(rule) of the list (see StructureRule)."
        case .unknownNode(let node): "The list has no node \(node) there: create it first."
        case .duplicateNode(let node): "A list of the profile has a node \(node) already."
        case .emptyNode(let node): "Node \(node) would have no tab: name at least one."
        case .crossesPartitions(let tab):
            "Tab \(tab) can't move between the regular and the incognito partition: open its "
                + "address in a new tab there."
        case .crossesProfiles(let tab):
            "Tab \(tab) can't move to another profile: open its address in a new tab there."
        case .windowClosed: "The list's window was closed: open it again, or take another."
        case .reentrant: ModelRule.notReentrant.rawValue
        }
    }
}
