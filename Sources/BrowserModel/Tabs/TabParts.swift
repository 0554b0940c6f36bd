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

/// What the content of tabs is made of.
package final class TabOrigin {
    /// Gives the state of an unrealized tab.
    let state: (any TabStateSource)?
    let engine: any TabEngine

    package init(state: (any TabStateSource)?, engine: any TabEngine) {
        self.state = state
        self.engine = engine
    }
}

/// What few tabs have.
final class TabExtras {
    var children: [Tab] = []
    var custody: AnyObject?
    var helpers: [ObjectIdentifier: any TabHelper] = [:]
    var observers = Observers<any TabObserver>()
}
