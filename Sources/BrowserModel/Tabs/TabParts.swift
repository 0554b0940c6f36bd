// A profile has thousands of tabs that the user is not viewing. What they share is stored once, and
// what few of them need is stored separately.

/// The list and the owner of tabs, stored once for all tabs of a list.
final class TabMembership {
    weak var list: TabList?
    /// The registry of the profile with the list that the tab first entered; `nil` before that.
    let registry: TabRegistry?
    let isOffTheRecord: Bool

    init(_ registry: TabRegistry?, isOffTheRecord: Bool) {
        self.registry = registry
        self.isOffTheRecord = isOffTheRecord
    }
}

/// The parts from which the pages of tabs are made.
package final class TabOrigin {
    /// Provides the state of an unrealized tab.
    let state: (any TabStateSource)?
    let maker: any PageMaker
    let reason: PageReason
    /// Whether the tab gets its page on entering a list. Stored for checking thousands of tabs.
    let isNew: Bool

    package init(
        state: (any TabStateSource)?, maker: any PageMaker, reason: PageReason = .restored
    ) {
        self.state = state
        self.maker = maker
        self.reason = reason
        isNew = !reason.isRestoring
    }
}

/// State that few tabs need.
final class TabExtras {
    var children: [Tab] = []
    var branches = SiblingItems()
    var tabsBelow = 0
    var lifetimeToken: AnyObject?
    var helpers: [ObjectIdentifier: any TabHelper] = [:]
    var pageLoad = PageLoad.none
    var observers = Observers<any TabObserver>()
}
