public import BrowserSessions

/// What happened to a tab list, told after it happened.
public enum TabListChange {
    /// A tab came in.
    case inserted(Tab, at: Int)
    /// Tabs that were saved came in, in their order: the pinned ones before the pinned ones that were
    /// there, the others behind all pinned ones. Told once, for a list may get thousands: a mirror of
    /// the list reads it anew.
    case restored([Tab])
    /// A tab left: it was closed, or detached to go to another list.
    case removed(TabRemoval)
    /// A tab took the place of another, which was closed; a prerendered page for instance. If the
    /// old one was active, the new one is, which is told too.
    case replaced(TabRemoval, with: Tab)
    /// A tab has another index. Tabs between the two indexes shifted by one.
    case moved(Tab, from: Int, to: Int)
    /// A tab was pinned or unpinned, joined or left a group, or its opener changed; or its place
    /// did, when tabs were restored before it.
    case attributesChanged(Tab, at: Int)
    /// A group was made, renamed, recoloured, collapsed or expanded, or has ended.
    case groupChanged(TabGroupID)
    /// Another tab is active, or none.
    case activated(Tab?, previous: Tab?)
    /// Every tab got a new `TabMetadata.place`, because there was no room for one between two.
    case renumbered
    /// Something happened to a tab of the list.
    case tab(Tab, TabEvent)
    /// A batch of changes begins. What follows is told one by one all the same.
    case batchBegan
    /// The outermost batch has ended.
    case batchEnded
}

/// A tab that left its list, with what it was there.
public struct TabRemoval {
    public var tab: Tab
    /// The index that it had.
    public var index: Int
    public var isPinned: Bool
    public var group: TabGroup?
    public var opener: TabOpener?
    public var wasActive: Bool
    /// Why it was closed; `nil` if it was detached and lives on.
    public var closing: ClosingReason?
}

/// Why tabs are closed.
public enum ClosingReason: Hashable, Sendable {
    /// The user closed it, or cleared everything.
    case user
    /// The app tidied up: duplicates, tabs that were not used for a long time.
    case cleanup
    /// The app itself, for no reason of the user's. A window that loses all its tabs in this way is
    /// not believed by whoever saves it.
    case program
    /// Another tab took its place.
    case replacement
}

/// Hears what happens to tab lists.
///
/// The list must not be changed while its observers are told.
public protocol TabListObserver: AnyObject {
    func tabList(_ list: TabList, did change: TabListChange)
}

/// Works for a tab list, or for several: attaches helpers, and hears of tabs that come and go.
public protocol TabListDelegate: AnyObject {
    /// A tab is about to be inserted. It is not in the list yet, and may be unrealized.
    func tabList(_ list: TabList, willInsert tab: Tab)
    /// A tab of the list is realized: it was inserted so, or has become so. Called once for each
    /// stay of a realized tab in a list; attach its helpers here, unless it has them.
    func tabList(_ list: TabList, attachHelpersTo tab: Tab)
    /// A tab was removed. It is not in the list any more.
    func tabList(_ list: TabList, didRemove tab: Tab)
}

/// Why a tab list refused a change. Nothing was changed then.
public enum TabListError: Error, Hashable, Sendable {
    /// The tab is not in this list: it was closed, moved to another, or never here.
    case unknownTab(TabID)
    /// The tab is in a list already. Detach it there first.
    case alreadyInserted(TabID)
    /// Another tab of the profile has this identifier. Give the new one another.
    case duplicateIdentifier(TabID)
    /// The tab was closed.
    case closed(TabID)
    /// A tab can't be pinned and in a group.
    case pinnedInGroup(TabID)
    /// The opener is not a tab of this list, or is the tab itself.
    case unknownOpener(TabID)
    /// The list has no such group.
    case unknownGroup(TabGroupID)
    /// The list has a group with this identifier.
    case duplicateGroup(TabGroupID)
    /// A group needs at least one tab.
    case emptyGroup(TabGroupID)
    /// A tab never leaves or enters the off-the-record side.
    case crossesSides(TabID)
    /// A tab never goes from one profile to another.
    case crossesProfiles(TabID)
    /// The list's window was closed: what would be inserted would never be saved.
    case windowClosed
    /// The list was changed while its observers were told of a change.
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
        case .unknownGroup(let group): "The list has no group \(group): create it first."
        case .duplicateGroup(let group): "The list has a group \(group) already."
        case .emptyGroup(let group): "Group \(group) would have no tab: name at least one."
        case .crossesSides(let tab):
            "Tab \(tab) can't move between the regular and the off-the-record side: open its "
                + "address in a new tab there."
        case .crossesProfiles(let tab):
            "Tab \(tab) can't move to another profile: open its address in a new tab there."
        case .windowClosed: "The list's window was closed: open it again, or take another."
        case .reentrant: ModelRule.notReentrant.rawValue
        }
    }
}
