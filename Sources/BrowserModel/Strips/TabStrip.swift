/// A widget that shows the tabs of a window in a row, as a ``TabListMirror`` uses it.
///
/// A host implements it around its toolkit's notebook or tab bar. Every index is a position among
/// the shown tabs, counted from 0. ``tabs`` and ``selectedIndex`` must reflect a call as soon as it
/// returns, although an animation may last longer. The widget can decide anything else itself, such
/// as which page to select when one is removed: the mirror checks afterwards.
public protocol TabStrip: AnyObject {
    /// The tabs that the strip shows, in order, including those that are out of sight because they
    /// are scrolled away or that `TabList.isOutOfSight(_:)` hides, such as those of a collapsed group. Read before and after each change of the order.
    var tabs: [Tab] { get }
    /// The index of the tab that the strip shows as selected; `nil` if there is none.
    var selectedIndex: Int? { get }

    /// Shows another tab, which then has the index.
    func insert(_ tab: Tab, at index: Int)
    /// Moves a tab so that it then has the index `to`. The tabs in between shift by one.
    func move(from: Int, to: Int)
    /// Stops showing a tab. It may have been closed or have moved to another window.
    func remove(at index: Int)
    /// Shows a tab as selected, or no tab for `nil`. A widget that always selects one can ignore
    /// `nil`.
    func select(_ index: Int?)
    /// Redraws a tab's title, icon, pin, group, progress, its depth in a tree and whether it is out of sight;
    /// at least one of them changed.
    func update(_ tab: Tab, at index: Int)
    /// Replaces all shown tabs with these. The default implementation removes and inserts the tabs
    /// one by one.
    func reload(_ tabs: [Tab], selected: Int?)

    /// Requests that the host call ``TabListMirror/flush()`` once on the next pass of its event
    /// loop, for example from an idle callback. The user's actions cannot be applied now, because
    /// the list is being changed. Do not call it from within this method.
    func flushSoon()
}

extension TabStrip {
    public func reload(_ tabs: [Tab], selected: Int?) {
        while !self.tabs.isEmpty { remove(at: self.tabs.count - 1) }
        for (index, tab) in tabs.enumerated() { insert(tab, at: index) }
        select(selected)
    }
}
