public import BrowserSessions

/// What a window shows of the library: one of the spaces there, beside the window's own tabs.
///
/// Each space that a window has shown has a *view* in the window's list, which knows the tab last activated
/// there. The first view is that of the space on screen. So two windows can show one space, each with a tab
/// of its own. The active tab of the window's list is on screen; if none is active, a tab of the library is.
extension Window {
    /// The space of the library that the window shows; `nil` if it shows none, or if that is gone.
    public var space: StructureNode? {
        view?.link.flatMap { library?.node($0) }.flatMap { $0.kind == .space ? $0 : nil }
    }

    /// The window's view of the space on screen, a node of its list: what is in it is shown with that space
    /// alone; `nil` if no space was shown yet.
    public var view: StructureNode? { views.first }

    /// Shows a space of the library, or none: only the window's own tabs. The window goes on with the tab that
    /// was last activated there, if that is still open, or else with its own one that is active or was used last.
    ///
    /// - Throws: ``TabListError/unknownNode(_:)`` if the library has no such space;
    ///   ``TabListError/reentrant`` while the window's list notifies its observers.
    public func show(_ space: NodeID?) throws(TabListError) {
        if let space, library?.node(space)?.kind != .space { throw .unknownNode(space) }
        guard space != view?.link else { return }
        if let known = views.first(where: { $0.link == space }) {
            try tabs.move(known, to: .top(.normal, .first))
            if let active = known.active, tabs.tab(active) != nil || library?.tab(active) != nil {
                try activate(active)
            }
        } else {
            try makeView(of: space)
        }
        let lastUsed = tabs.max { $0.metadata.lastActiveAt < $1.metadata.lastActiveAt }
        if tabOnScreen == nil, let lastUsed { try activate(lastUsed) }
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

    /// The tab that the window shows: the active one of its list, or else the one of the library that was
    /// activated; `nil` if it shows none, such as when that was closed.
    public var tabOnScreen: Tab? {
        tabs.activeTab ?? view?.active.flatMap { library?.tab($0) }
    }

    /// Shows a tab, the window's own or one of the library, and realizes it. The window's view of its space
    /// notes the tab. For one of the library, no tab of the window's list stays active.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is in neither list; ``TabListError/reentrant``
    ///   while the window's list notifies its observers.
    public func activate(_ tab: some TabReference) throws(TabListError) {
        if tabs.tab(tab.tabID) != nil {
            try tabs.activate(tab)
        } else {
            guard let found = library?.tab(tab.tabID) else { throw .unknownTab(tab.tabID) }
            guard tabs.mayChange() else { throw .reentrant }
            if view == nil { try makeView(of: nil) }
            // No tab is the active one of the library, as each window shows its own.
            tabs.setActive(nil)
            found.realizeForActivation()
        }
        guard var view, view.active != tab.tabID else { return }
        view.active = tab.tabID
        try tabs.update(view)
    }

    private func makeView(of space: NodeID?) throws(TabListError) {
        var view = StructureNode(.view, place: .middle)
        view.link = space
        try tabs.create(view, at: .top(.normal, .first))
    }

    private var library: TabList? { profileWindows?.openLibrary }

    /// The window's views of spaces, the one on screen first.
    private var views: [StructureNode] {
        tabs.order.nodes.values.map(\.record).filter { $0.kind == .view }
            .sorted { ($0.place, $0.id) < ($1.place, $1.id) }
    }
}

extension TabList {
    /// Returns the tabs in a node with all that is below it, in order.
    fileprivate func tabs(in node: NodeID) -> ArraySlice<Tab> { tabs[range(of: node) ?? 0..<0] }
}
