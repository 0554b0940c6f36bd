// A profile has thousands of tabs that nobody looks at: what they share is kept once, and what few of them
// have is kept apart.

/// The list of a tab, and whose tab it is, once for all tabs of a list.
final class TabHome {
    weak var list: TabList?
    /// Of the profile in whose list the tab was first inserted; `nil` while it was in none of a profile.
    let registry: TabRegistry?
    let isOffTheRecord: Bool

    init(_ registry: TabRegistry?, isOffTheRecord: Bool) {
        self.registry = registry
        self.isOffTheRecord = isOffTheRecord
    }
}

/// What the pages of tabs are made of.
package final class TabOrigin {
    /// Gives the state of an unrealized tab.
    let state: (any TabStateSource)?
    let maker: any PageMaker
    let reason: PageReason
    /// Whether the tab gets its page as soon as it is in a list. Thousands of tabs are asked for it at once.
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

/// What few tabs have.
final class TabExtras {
    var children: [Tab] = []
    var custody: AnyObject?
    var helpers: [ObjectIdentifier: any TabHelper] = [:]
    var pageLoad = PageLoad.none
    var observers = Observers<any TabObserver>()
}
