/// What happened to a tab.
public enum TabEvent: Hashable, Sendable {
    /// It got its page: it is realized.
    case realized
    /// It was brought to the front.
    case shown
    /// It navigated, or its history changed otherwise.
    case navigated
    /// The state of its page changed: scroll position, form content.
    case stateChanged
    /// Its title, icon or a property changed, and its history did not.
    case detailsChanged
    /// A page begins to load, arrived, or will not arrive: see ``Tab/pageLoad``.
    case loadingChanged
    /// Its page was taken away to save memory; it is unrealized.
    case unloaded
    /// Its state could not be read; it stays unrealized and can be tried again.
    case realizationFailed
    /// It was closed; nothing happens to it any more.
    case closed
}

/// Hears what happens to tabs. It stays registered when the tab becomes realized.
///
/// A tab list must not be changed when a tab is shown, realized or closed: that may happen in the
/// middle of a change of the list.
public protocol TabObserver: AnyObject {
    func tab(_ tab: Tab, did event: TabEvent)
}

/// Something that works on a realized tab: find in page, a password manager, a reader mode.
///
/// Helpers are attached by the ``TabListDelegate`` when the tab has its page. Whoever looks for
/// one must cope with its absence.
public protocol TabHelper: AnyObject {
    /// The tab was closed or unloaded, or the helper was taken off: the end.
    func tabEnded(_ tab: Tab)
}

/// Why something could not be done with a tab.
public enum TabError: Error, Hashable, Sendable {
    /// Helpers work on realized tabs only. Attach them when the list's delegate is told.
    case unrealized
    /// The tab has a helper of that type already.
    case duplicateHelper(String)
    /// The tab was closed.
    case closed
    /// The tab was never in a list, so that its side is not known. Insert it first.
    case notInserted
    /// The tab is in front: the user looks at its page. Activate another one first.
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
