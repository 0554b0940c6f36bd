public import BrowserSessions

/// What a window shows of the library: one of the spaces there, beside the window's own tabs.
///
/// Each space that a window has shown has a *view* in the window's list, which knows the tab last used
/// there. The first view is that of the space on screen. So two windows can show one space, each with a tab
/// of its own, and showing another space is one record.
extension Window {
    /// The space of the library that the window shows; `nil` if it shows none, or if that is gone.
    public var space: StructureNode? {
        view?.link.flatMap { library?.node($0) }.flatMap { $0.kind == .space ? $0 : nil }
    }

    /// Shows a space of the library, or none: only the window's own tabs. The window goes on with the tab that
    /// was last used there.
    ///
    /// - Throws: ``TabListError/unknownNode(_:)`` if the library has no such space;
    ///   ``TabListError/reentrant`` while the window's list notifies its observers.
    public func show(_ space: NodeID?) throws(TabListError) {
        if let space, library?.node(space)?.kind != .space { throw .unknownNode(space) }
        guard space != view?.link else { return }
        if let known = views.first(where: { $0.link == space }) {
            try tabs.move(known, to: .top(.normal, .first))
        } else {
            var view = StructureNode(.view, place: .middle)
            view.link = space
            try tabs.create(view, at: .top(.normal, .first))
        }
    }

    /// The tabs on screen: the library's essential tabs, the tabs of the space, the window's own tabs in its
    /// view of the space, and those that are in no view.
    public var tabsOnScreen: [Tab] {
        var shown: [Tab] = []
        if let library {
            shown += library.children(of: nil).prefix { library.zone(of: $0) == .essential }
                .flatMap { library.tabs(in: $0) }
            if let space { shown += library.tabs(in: space.id) }
        }
        let hidden = Set(views.flatMap { tabs.tabs(in: $0.id) }.map(\.id))
        if let view { shown += tabs.tabs(in: view.id) }
        return shown + tabs.filter { !hidden.contains($0.id) }
    }

    /// The tab that the window shows, its own or one of the library; `nil` if it shows none.
    public var tabOnScreen: Tab? {
        let active = view?.active.flatMap { tabs.tab($0) ?? library?.tab($0) }
        return active ?? tabs.activeTab
    }

    /// Shows a tab, the window's own or one of the library, and realizes it. The window's view of its space
    /// notes the tab.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is in neither list; ``TabListError/reentrant``
    ///   while one of the lists notifies its observers.
    public func activate(_ tab: some TabReference) throws(TabListError) {
        if tabs.tab(tab.tabID) != nil {
            try tabs.activate(tab)
        } else {
            guard let library, let found = library.tab(tab.tabID) else {
                throw .unknownTab(tab.tabID)
            }
            try library.activate(found)
            // The library realizes no tab by itself: the next one may be in another space.
            found.realizeForActivation()
        }
        guard var view else { return }
        view.active = tab.tabID
        try tabs.update(view)
    }

    private var library: TabList? { profileWindows?.openLibrary }

    /// The window's views of spaces, the one on screen first.
    private var views: [StructureNode] {
        tabs.order.nodes.values.map(\.record).filter { $0.kind == .view }
            .sorted { ($0.place, $0.id) < ($1.place, $1.id) }
    }

    private var view: StructureNode? { views.first }
}

extension TabList {
    /// Returns the tabs in a node with all that is below it, in order.
    fileprivate func tabs(in node: NodeID) -> ArraySlice<Tab> { tabs[range(of: node) ?? 0..<0] }
}
