public import BrowserModel
import BrowserSessions

/// Tabs that were not used for a long time and are out of sight: ``SessionRestorer/inactive``.
public struct InactiveTabs {
    let context: RestorerContext

    init(_ context: RestorerContext) { self.context = context }

    /// Moves tabs that were not used for longer than ``RestorationPolicy/inactiveAge`` out of
    /// sight. They go to the window of kind `inactive` with the same identifier, all of them with
    /// the next save.
    ///
    /// The restorer does this itself for windows that are open when restoring has finished. Call
    /// this method if your host opens windows later.
    ///
    /// Pinned tabs, the active tab and blank pages stay. Panes of a split, and tabs that branch from each
    /// other, become inactive together or not at all. Inactive tabs that are no longer old
    /// enough, because the policy changed, come back. Without an age in the policy, all come back.
    ///
    /// - Returns: the number of tabs that became inactive.
    /// - Throws: ``SessionRestorationError/tabList(_:)`` if a tab list refuses the change;
    ///   ``SessionRestorationError/window(_:)`` if a window for inactive tabs cannot be opened;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running. Tabs that moved before
    ///   stay moved.
    @discardableResult
    public func moveUnused() throws(SessionRestorationError) -> Int {
        try context.checkIsRunning()
        var moved = 0
        for window in context.windows.windows(of: .regular) { moved += try moveUnused(of: window) }
        return moved
    }

    func moveUnused(of window: Window) throws(SessionRestorationError) -> Int {
        if let inactive = context.windows.window(window.id, kind: .inactive) {
            try bring(inactive.tabs.filter { !isUnused($0) }, of: inactive, to: window)
        }
        let list = window.tabs
        let spared = list.activeTab ?? list.tabs.max { $0.lastUse < $1.lastUse }
        let mayLeave = { (tab: Tab) in
            isUnused(tab) && !tab.isPinned && tab !== spared
                && !context.policy.isBlank(tab.metadata)
        }
        let leaving = list.filter { tab in
            mayLeave(tab) && list.tabs(togetherWith: tab).allSatisfy(mayLeave)
        }
        guard !leaving.isEmpty else { return 0 }
        let inactive = try context.openCompanion(.inactive, of: window)
        return try SessionRestorationError.converting {
            try list.transfer(leaving, to: inactive.tabs).count
        }
    }

    /// Returns the inactive tabs of a regular window, in order; empty if it has none.
    ///
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` if the window is not a regular one;
    ///   ``SessionRestorationError/window(_:)`` if it is not open;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func tabs(of window: some WindowReference) throws(SessionRestorationError) -> [Tab] {
        let window = try context.regularWindow(window)
        return context.windows.window(window.id, kind: .inactive)?.tabs.tabs ?? []
    }

    /// Brings an inactive tab back to its window, directly after the pinned tabs or to its group,
    /// and activates it.
    ///
    /// - Throws: ``SessionRestorationError/notInactive(_:)`` if it is not an inactive tab of an
    ///   open window; ``SessionRestorationError/tabList(_:)`` if a tab list refuses the change;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func reactivate(_ tab: some TabReference) throws(SessionRestorationError) {
        try context.checkIsRunning()
        guard
            let inactive = context.windows.windows(of: .inactive).first(where: {
                $0.tabs.index(of: tab) != nil
            }),
            let window = context.windows.window(inactive.id)
        else { throw .notInactive(tab.tabID) }
        try bring([tab], of: inactive, to: window)
        try? window.tabs.activate(tab)
    }

    /// Brings all inactive tabs of a regular window back. They count as used now, so that they do
    /// not become inactive again at the next launch.
    ///
    /// - Returns: the number of these tabs.
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` if the window is not a regular one;
    ///   ``SessionRestorationError/window(_:)`` if it is not open;
    ///   ``SessionRestorationError/tabList(_:)`` if a tab list refuses the change;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    @discardableResult
    public func reactivateAll(
        in window: some WindowReference
    ) throws(SessionRestorationError) -> Int {
        let window = try context.regularWindow(window)
        guard let inactive = context.windows.window(window.id, kind: .inactive) else { return 0 }
        let tabs = inactive.tabs.tabs
        try bring(tabs, of: inactive, to: window)
        for tab in tabs { tab.wasShown(at: context.clock.now) }
        return tabs.count
    }

    /// Brings the inactive tabs of all open windows back, as ``reactivateAll(in:)`` does.
    ///
    /// - Returns: the number of these tabs.
    /// - Throws: ``SessionRestorationError/tabList(_:)`` if a tab list refuses the change;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running. Tabs that moved before
    ///   stay moved.
    @discardableResult
    public func reactivateAll() throws(SessionRestorationError) -> Int {
        try context.checkIsRunning()
        var tabs = 0
        for window in context.windows.windows(of: .regular) {
            tabs += try reactivateAll(in: window)
        }
        return tabs
    }

    private func bring(
        _ tabs: some Sequence<some TabReference>, of inactive: Window, to window: Window
    ) throws(SessionRestorationError) {
        _ = try SessionRestorationError.converting {
            try inactive.tabs.transfer(tabs, to: window.tabs, at: .front)
        }
        if inactive.tabs.isEmpty { try? context.windows.close(inactive) }
    }

    /// Returns whether a tab counts as unused. A tab without a known time of use does not.
    private func isUnused(_ tab: Tab) -> Bool {
        guard let age = context.policy.inactiveAge, tab.lastUse != .unknown else { return false }
        return context.clock.now.timeSince(tab.lastUse) > age
    }
}
