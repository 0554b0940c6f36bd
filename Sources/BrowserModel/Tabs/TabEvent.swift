/// An event of a tab.
public enum TabEvent: Hashable, Sendable {
    /// The tab got its page and is now realized.
    case realized
    /// The tab was brought to the front.
    case shown
    /// The tab navigated, or its history changed in another way.
    case navigated
    /// The state of the page changed, such as its scroll position or form content.
    case stateChanged
    /// The title, the icon or a property changed, but not the history.
    case detailsChanged
    /// A page began to load, arrived, or will not arrive; see ``Tab/pageLoad``.
    case loadingChanged
    /// The page was removed to save memory; the tab is now unrealized.
    case unloaded
    /// The state could not be read. The tab stays unrealized, and you can try again.
    case realizationFailed
    /// The tab was closed. No further events follow.
    case closed
}

/// Receives the events of tabs. An observer stays registered when a tab becomes realized.
///
/// Do not change the tab list when a tab is shown, realized or closed: this can happen in the
/// middle of a change to the list.
public protocol TabObserver: AnyObject {
    /// Tells the observer of an event of a tab, after it happened.
    func tab(_ tab: Tab, did event: TabEvent)
}

/// An object that works on a realized tab, such as find in page or a password manager.
///
/// The ``TabListDelegate`` attaches helpers when the tab has its page. A helper may be absent, and
/// callers must handle this.
public protocol TabHelper: AnyObject {
    /// Ends the helper, because the tab was closed or unloaded, or the helper was detached.
    func tabEnded(_ tab: Tab)
}

/// The reason an operation on a tab failed.
public enum TabError: Error, Hashable, Sendable {
    /// The tab is unrealized and cannot have helpers. Attach them in the list's delegate.
    case unrealized
    /// The tab already has a helper of this type.
    case duplicateHelper(String)
    /// The tab was closed.
    case closed
    /// The tab was never in a list, so its partition is unknown. Insert it first.
    case notInserted
    /// The tab is in front, and the user is viewing its page. Activate another tab first.
    case active
}

extension TabError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unrealized:
            "The tab is not realized: attach helpers in TabListDelegate."
        case .duplicateHelper(let type):
            "The tab has a helper of the type \(type) already: attach one of each type."
        case .notInserted:
            "The tab was never in a list: insert it, so that it is known to be private or not."
        case .active:
            "The tab is in front of its list: activate another one before."
        case .closed:
            "The tab was closed: restore it from the recently closed tabs, or make a new one."
        }
    }
}
