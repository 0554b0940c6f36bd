public import BrowserModel
public import BrowserSessions

/// The tabs and windows that the user closed and can reopen: ``SessionRestorer/closed``.
public struct ClosedTabs {
    let context: RestorerContext
    let records: ClosedTabRecords

    init(_ context: RestorerContext, records: ClosedTabRecords) {
        self.context = context
        self.records = records
    }

    /// The tabs that the user closed and can reopen, the last closed first. Before restoring has
    /// finished, only tabs closed since the start.
    ///
    /// Closed tabs are kept for the entire profile; ``RestorationPolicy/closed`` limits their
    /// number and age. Off-the-record tabs, tabs that the app closed, and blank pages without other
    /// history are not included.
    public var tabs: [ClosedTab] { records.tabs.reversed() }

    /// The closed windows that ``SavedWindows/open(_:kind:)`` can reopen, the last closed first.
    /// Windows that were closed without a tab are not included.
    public var windows: [StoredWindow] {
        context.windows.ids.reopenable.filter { $0.closedAt != nil }
    }

    /// Reopens a closed tab and activates it, which realizes it.
    ///
    /// The tab keeps its identifier and returns to its old place. It is pinned or in its group again; the
    /// group is recreated if it no longer exists. The tab has its opener if that is still there.
    ///
    /// - Parameters:
    ///   - id: the closed tab.
    ///   - window: the window to use if the tab's own window is not open; `nil` for the window in the
    ///     foreground, otherwise the one opened last.
    /// - Returns: the tab. If a tab with the identifier is already open, returns and activates it.
    /// - Throws: ``SessionRestorationError/unknownClosedTab(_:)``;
    ///   ``SessionRestorationError/noOpenWindow``; ``SessionRestorationError/notRegular(_:)`` if
    ///   the given window is, for example, off the record; ``SessionRestorationError/window(_:)``
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

    /// Reopens all tabs of a closing, as ``reopenLast(in:)`` does. Returns an empty array if none is left.
    ///
    /// - Throws: the errors of ``reopenLast(in:)``.
    @discardableResult
    public func reopen(
        _ closing: ClosingID, in window: (any WindowReference)? = nil
    ) throws(SessionRestorationError) -> [Tab] {
        try context.checkIsRunning()
        return try reopen(records.tabs.reversed().filter { $0.closing == closing }, in: window)
    }

    /// Removes a closed tab with all of its saved data. Does nothing if there is none.
    ///
    /// - Throws: ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func forget(_ id: TabID) throws(SessionRestorationError) {
        try context.checkIsRunning()
        if records[id] != nil { records.forget([id]) }
    }

    /// Removes all closed tabs with all of their saved data, for example when the user clears the history.
    ///
    /// - Throws: ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func forgetAll() throws(SessionRestorationError) {
        try context.checkIsRunning()
        records.forget(Set(records.tabs.map(\.id)))
    }

    // MARK: Reopening

    /// Reopens each tab in its own window if that is open.
    private func reopen(
        _ closed: [ClosedTab], in given: (any WindowReference)?
    ) throws(SessionRestorationError) -> [Tab] {
        var places: [(window: Window, tabs: [ClosedTab])] = []
        for tab in closed {
            let window = try window(for: tab, given)
            if let index = places.firstIndex(where: { $0.window === window }) {
                places[index].tabs.append(tab)
            } else {
                places.append((window, [tab]))
            }
        }
        var reopened: [Tab] = []
        for (window, tabs) in places {
            reopened += try reopen(tabs, into: window)
        }
        return reopened
    }

    private func reopen(
        _ closed: [ClosedTab], into window: Window
    ) throws(SessionRestorationError) -> [Tab] {
        var reopened: [Tab] = []
        do throws(TabListError) {
            try records.whileReopening { () throws(TabListError) in
                try window.tabs.performBatch { list throws(TabListError) in
                    for tab in closed { reopened.append(try put(tab, into: list)) }
                }
            }
        } catch {
            records.reopened(Set(reopened.map(\.id)))
            throw .tabList(error)
        }
        records.reopened(Set(reopened.map(\.id)))
        restoreOpeners(of: closed)
        let inOrder = reopened.sorted {
            (window.tabs.index(of: $0.id) ?? .max) < (window.tabs.index(of: $1.id) ?? .max)
        }
        let active = closed.first { $0.wasActive }?.id ?? inOrder.first?.id
        if let tab = reopened.first(where: { $0.id == active }), let list = tab.list {
            list.activate(at: list.index(of: tab.id))
        }
        return inOrder
    }

    private func window(
        for closed: ClosedTab, _ given: (any WindowReference)?
    ) throws(SessionRestorationError) -> Window {
        if let own = closed.session.flatMap({ context.windows.window($0) }) { return own }
        if let given, (given as? Window)?.isClosed != true { return try context.openWindow(given) }
        let kind = closed.session?.kind ?? .regular
        let alike = kind.role == .window ? context.windows.windows(of: kind) : []
        let open = alike.isEmpty ? context.windows.windows(of: .regular) : alike
        guard let window = open.last(where: \.isInForeground) ?? open.last else {
            throw .noOpenWindow
        }
        return window
    }

    private func put(_ closed: ClosedTab, into list: TabList) throws(TabListError) -> Tab {
        let isOpen = context.windows.registry.contains(closed.id, offTheRecord: false)
        if isOpen,
            let tab = context.windows.windows.lazy.compactMap({ $0.tabs.tab(closed.id) }).first
        {
            return tab
        }
        let tab = context.tab(closed.metadata, of: .regular)
        let group = closed.group.flatMap { list.group(sameAs: $0) }
        let index = try list.insert(
            tab, as: TabInsertion(at: closed.index, isPinned: closed.isPinned, group: group?.id))
        if let gone = closed.group, group == nil {
            try list.createGroup(list.named(gone), at: [index])
        }
        return tab
    }

    private func restoreOpeners(of closed: [ClosedTab]) {
        for closed in closed {
            guard let opener = closed.opener,
                let list = context.windows.lazy.map(\.tabs)
                    .first(where: { $0.tab(closed.id) != nil }),
                let index = list.index(of: closed.id), list.tab(opener.tab) != nil
            else { continue }
            try? list.setOpener(opener, at: index)
        }
    }
}
