public import BrowserModel
public import BrowserSessions

/// The tabs and windows that the user closed and can reopen: ``SessionRestorer/closed``.
public struct ClosedTabs: RestorerPart {
    let components: RestorerComponents

    var records: ClosedTabRecords { components.closedTabs }

    /// The tabs that were closed and that the user can reopen, the last closed first. Before restoring has
    /// finished, only tabs closed since the start.
    ///
    /// Closed tabs are kept for the entire profile; ``RestorationPolicy/closed`` limits their
    /// number and age. Tabs that a program closed are included, see ``ClosedTab/isClosedByProgram``;
    /// incognito tabs, tabs that the app cleaned up, and blank pages without other history are not.
    public var tabs: [ClosedTab] {
        records.tabs.reversed().map { tab in
            var tab = tab
            note(in: &tab, whatIsOpen: tab.former.parent)
            return tab
        }
    }

    /// Notes the group of a closed tab, and whether it was pinned, if what it was in is still in a window.
    private func note(in tab: inout ClosedTab, whatIsOpen parent: NodeID?) {
        guard let parent else { return }
        for list in context.windows.windows.lazy.filter(\.holdsOpenTabs).map(\.tabs) {
            guard let node = list.node(parent) else { continue }
            let isPinned = node.kind != .space && list.zone(of: node) != .normal
            tab.isPinned = tab.isPinned || isPinned
            guard !tab.isPinned else { return }
            tab.group =
                ([node.id] + list.ancestors(of: node)).lazy
                .compactMap { list.group($0) }.first ?? tab.group
            return
        }
    }

    /// The closed windows that ``SavedWindows/open(_:kind:)`` can reopen, the last closed first.
    /// Windows that were closed without a tab are not included.
    public var windows: [StoredWindow] {
        context.windows.ids.reopenable.filter { $0.closedAt != nil }
    }

    /// Reopens a closed tab and activates it, which realizes it.
    ///
    /// The tab keeps its identifier and returns to where it was: among the same tabs, pinned, in its group
    /// or split, or below the tab that it branched from. Groups, folders and splits that ended when tabs in
    /// them were closed come back with the first of these; what a closed tab left behind, such as the tabs
    /// that branched from it, returns to it unless somebody moved it since. So the order of reopening does
    /// not matter. The tab has its opener if that is still there.
    ///
    /// - Parameters:
    ///   - id: the closed tab.
    ///   - window: the window to use if the tab's own window is not open; `nil` for the window in the
    ///     foreground, otherwise the one opened last.
    /// - Returns: the tab. If a tab with the identifier is already open, returns and activates it.
    /// - Throws: ``SessionRestorationError/unknownClosedTab(_:)``;
    ///   ``SessionRestorationError/noOpenWindow``; ``SessionRestorationError/notRegular(_:)`` if
    ///   the given window is, for example, in incognito; ``SessionRestorationError/window(_:)``
    ///   if it is of another profile, or no open window has the identifier (a closed `Window`
    ///   counts as `nil`); ``SessionRestorationError/tabList(_:)`` if a tab list
    ///   refuses the change; ``SessionRestorationError/notRestored``,
    ///   ``SessionRestorationError/superseded`` or ``SessionRestorationError/closed`` if the
    ///   restorer is not running. The tab then stays closed.
    @discardableResult
    public func reopen(
        _ id: TabID, in window: (any WindowReference)? = nil
    ) throws(SessionRestorationError) -> Tab {
        try context.checkIsRunning()
        guard let closed = records[id],
            let tab = try reopen([closed], in: window).first
        else { throw .unknownClosedTab(id) }
        return tab
    }

    /// Reopens all tabs of the last closing, such as the tabs of a group, as `reopen(_:in:)`
    /// does. Activates the tab that was active then, otherwise the first.
    ///
    /// - Returns: the tabs, in the order of their window; empty if there is no closed tab.
    /// - Throws: the errors of `reopen(_:in:)`, except for
    ///   ``SessionRestorationError/unknownClosedTab(_:)``. Tabs that were reopened before the error
    ///   stay open.
    @discardableResult
    public func reopenLast(in window: (any WindowReference)? = nil) throws(SessionRestorationError)
        -> [Tab]
    {
        try context.checkIsRunning()
        guard let last = records.tabs.last else { return [] }
        return try reopen(last.closing, in: window)
    }

    /// Reopens an item of a menu: all tabs of a closing, as ``reopenLast(in:)`` does, or a window, as
    /// ``SavedWindows/open(_:kind:)`` does.
    ///
    /// - Returns: the tabs that are back, or those of the window; `[]` if there are none any more.
    /// - Throws: the errors of these methods.
    @discardableResult
    public func reopen(
        _ item: ClosedItem, in window: (any WindowReference)? = nil
    ) async throws(SessionRestorationError) -> [Tab] {
        switch item.content {
        case .tabs(let tabs):
            try context.checkIsRunning()
            return try tabs.first.map { tab throws(SessionRestorationError) in
                try reopen(tab.closing, in: window)
            } ?? []
        case .window(let closed):
            return try await SavedWindows(components: components)
                .open(closed.id, kind: closed.kind).tabs.tabs
        }
    }

    private func reopen(
        _ closing: ClosingID, in window: (any WindowReference)?
    ) throws(SessionRestorationError) -> [Tab] {
        try reopen(records.tabs.reversed().filter { $0.closing == closing }, in: window)
    }

    /// Removes a closed tab with all of its saved data. Does nothing if there is none.
    ///
    /// - Throws: ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func forget(_ id: TabID) throws(SessionRestorationError) {
        try context.checkIsRunning()
        if records[id] != nil { records.forget([id], isAsked: true) }
    }

    /// Removes all closed tabs with all of their saved data, for example when the user clears the history.
    ///
    /// - Throws: ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func forgetAll() throws(SessionRestorationError) {
        try context.checkIsRunning()
        records.forget(Set(records.tabs.map(\.id)), isAsked: true)
    }

    // MARK: Reopening

    /// Reopens each tab where it was.
    private func reopen(
        _ closed: [ClosedTab], in given: (any WindowReference)?
    ) throws(SessionRestorationError) -> [Tab] {
        var homecoming = Homecoming(context, records)
        for tab in homecoming.parentsFirst(closed) {
            try homecoming.add(tab, orTo: given)
        }
        var reopened: [Tab] = []
        for home in homecoming.homes {
            reopened += try reopen(closed, home)
        }
        return reopened
    }

    private func reopen(
        _ closed: [ClosedTab], _ home: Homecoming.Home
    ) throws(SessionRestorationError) -> [Tab] {
        let list = home.window.tabs
        var failure: TabListError?
        records.whileReopening { () throws(Never) in
            records.take(home.nodes)
            list.performBatch { list in
                do throws(TabListError) { try list.putBack(home.items) } catch { failure = error }
                records.reopened(Set(home.tabs.filter { list.tab($0) != nil }))
            }
        }
        let reopened = home.tabs.compactMap { list.tab($0) }
        if let failure { throw .tabList(failure) }
        let own = closed.filter { list.tab($0.id) != nil }
        restoreOpeners(of: own, in: list)
        let inOrder = reopened.sorted {
            (list.index(of: $0.id) ?? .max) < (list.index(of: $1.id) ?? .max)
        }
        let active = own.first { $0.wasActive }?.id ?? inOrder.first?.id
        if let active { try? list.activate(active) }
        return inOrder
    }

    private func restoreOpeners(of closed: [ClosedTab], in list: TabList) {
        for closed in closed {
            if let opener = closed.opener { try? list.setOpener(opener, of: closed.id) }
        }
    }
}

extension ClosedTabs {
    /// The items for a menu of recently closed tabs and windows, the last closed first. Tabs that
    /// were closed together are one item.
    public var items: [ClosedItem] {
        var closings: [ClosingID: [ClosedTab]] = [:]
        for tab in tabs { closings[tab.closing, default: []].append(tab) }
        let ofTabs = closings.values.compactMap { tabs in
            tabs.map(\.closedAt).max().map {
                ClosedItem(content: .tabs(tabs), node: node(of: tabs), closedAt: $0)
            }
        }
        let ofWindows = windows.map {
            ClosedItem(content: .window($0), node: nil, closedAt: $0.closedAt ?? .unknown)
        }
        // Each closing has a number. A wall clock may have gone backward between two closings.
        return (ofTabs + ofWindows).map { (item: $0, number: $0.closingNumber) }
            .sorted { ($0.number, $0.item.closedAt) > ($1.number, $1.item.closedAt) }.map(\.item)
    }

    /// Returns the outermost node that was closed with all of these tabs in it; `nil` if there was none.
    private func node(of tabs: [ClosedTab]) -> StructureNode? {
        guard let first = tabs.first, !records.nodes.isEmpty else { return nil }
        let (nodes, places) = (records.nodes, records.places)
        let own = tabs.map { tab in
            nodes.above(tab.former, places).filter { $0.isOf(tab.closing) }
        }
        let all = own.dropFirst().reduce(into: Set(own[0].map(\.id))) { ids, nodes in
            ids.formIntersection(nodes.map(\.id))
        }
        return nodes.above(first.former, places).last { all.contains($0.id) }?.asItWas
    }

    /// Closes the tabs that were not used since a given time, including inactive tabs, as one closing.
    /// ``reopenLast(in:)`` brings all of them back, each to its window.
    ///
    /// Pinned tabs, active tabs, and tabs without a known time of use stay. Blank pages are closed for good.
    ///
    /// - Parameters:
    ///   - time: tabs used at this time or later stay.
    ///   - window: the window to close tabs in; `nil` for all windows that are not incognito.
    /// - Returns: the closed tabs, in the order in which they are kept; empty if every tab is in use.
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` if the window is, for example, off the
    ///   record; ``SessionRestorationError/window(_:)`` if it is not open;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    @discardableResult
    public func closeTabs(
        notUsedSince time: Timestamp, in window: (any WindowReference)? = nil
    ) throws(SessionRestorationError) -> [ClosedTab] {
        try context.checkIsRunning()
        var windows = Array(context.windows)
        if let window { windows = [try context.openWindow(window)] }
        return records.asOneClosing {
            for window in windows {
                closeTabs(of: window, notUsedSince: time)
                guard window.kind == .regular,
                    let inactive = context.windows.window(window.id, kind: .inactive)
                else { continue }
                closeTabs(of: inactive, notUsedSince: time)
                if inactive.tabs.isEmpty { try? context.windows.close(inactive) }
            }
        }
    }

    private func closeTabs(of window: Window, notUsedSince time: Timestamp) {
        let active = window.kind.role == .window ? window.tabs.activeTab : nil
        let leaving = window.tabs.filter { tab in
            tab !== active && !tab.isPinned && tab.lastUse != .unknown && tab.lastUse < time
        }
        try? window.tabs.close(leaving)
    }
}

extension Tab {
    /// The time when the tab was last used, or created if it was never used; may be unknown.
    var lastUse: Timestamp {
        metadata.lastActiveAt == .unknown ? metadata.createdAt : metadata.lastActiveAt
    }
}
