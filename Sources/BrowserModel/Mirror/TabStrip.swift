/// A widget that shows the tabs of a window side by side, as a ``TabListMirror`` sees it.
///
/// A host writes one around its toolkit's notebook or tab bar. Every index counts what the strip
/// shows, from 0. What a strip was told shows in ``tabs`` and ``selectedIndex`` as soon as the call
/// returns; an animation may go on longer. Whatever else the widget decides meanwhile, as another
/// page to select when one is removed, is up to it: the mirror looks afterwards.
public protocol TabStrip: AnyObject {
    /// The tabs that it shows now, in their order, also those that are out of sight: scrolled away,
    /// or in a collapsed group. Asked for before and after each change of the order.
    var tabs: [Tab] { get }
    /// The index of the tab that it shows as selected; `nil` if none is.
    var selectedIndex: Int? { get }

    /// Shows a tab that it did not show, so that it then has the index.
    func insert(_ tab: Tab, at index: Int)
    /// Moves a tab so that it then has the index `to`; those between shift by one.
    func move(from: Int, to: Int)
    /// Shows a tab no more. It may be closed, or have gone to another window.
    func remove(at index: Int)
    /// Shows a tab as selected, or none with `nil`. A widget that always selects one may ignore that
    /// `nil`.
    func select(_ index: Int?)
    /// Shows a tab's title, icon, pin, group and progress anew: at least one of them changed.
    func update(_ tab: Tab, at index: Int)
    /// Shows these tabs and no others, all of them anew. Without this, they are removed and inserted
    /// one by one.
    func reload(_ tabs: [Tab], selected: Int?)

    /// The host is to call ``TabListMirror/settle()`` once when its event loop comes round, as from
    /// an idle callback: what the user did can't be done now, for the list is being changed. Not from
    /// within this call.
    func settleSoon()
}

extension TabStrip {
    public func reload(_ tabs: [Tab], selected: Int?) {
        while !self.tabs.isEmpty { remove(at: self.tabs.count - 1) }
        for (index, tab) in tabs.enumerated() { insert(tab, at: index) }
        select(selected)
    }
}
