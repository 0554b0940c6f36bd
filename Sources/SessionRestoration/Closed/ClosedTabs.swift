public import BrowserModel
public import BrowserSessions

/// Tabs and windows that the user closed and can open again: ``SessionRestorer/closed``.
public final class ClosedTabs {
    let context: RestorerContext
    let records: ClosedTabRecords

    init(_ context: RestorerContext, _ records: ClosedTabRecords) {
        self.context = context
        self.records = records
    }

    /// The tabs that the user closed and can open again, the one closed last first; empty before
    /// restoring has finished, but for those closed since the start.
    ///
    /// They are kept for the whole profile, ``RestorationPolicy/closed`` says how many and how
    /// long. Off-the-record tabs, tabs that the app closed and blank pages that never went anywhere
    /// are not among them.
    public var tabs: [ClosedTab] { records.tabs.reversed() }

    /// The closed windows that can be opened again by ``SavedWindows/open(_:kind:)``, the one closed last
    /// first. One that was closed when it had no tab is none of them.
    public var windows: [StoredWindow] {
        context.windows.ids.reopenable.filter { $0.closedAt != nil }
    }

    /// Opens a closed tab again and activates it, which realizes it.
    ///
    /// It keeps its identifier, comes to its old place, is pinned or in its group again, which is
    /// made anew if it is gone, and has its opener if that is still there.
    ///
    /// - Parameters:
    ///   - id: of the closed tab.
    ///   - window: where it comes to if its own window is not open; `nil` for the window in the
    ///     foreground, else the one opened last.
    /// - Returns: the tab; when a tab with the identifier is open already, that one, activated.
    ///
    /// Throws ``SessionRestorationError/unknownClosedTab(_:)``,
    /// ``SessionRestorationError/noOpenWindow``, ``SessionRestorationError/notRegular(_:)`` if the
    /// window given is, say, off the record, ``SessionRestorationError/window(_:)`` if it is another
    /// profile's, or ``SessionRestorationError/notRestored``; it stays closed then.
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

    /// Opens again all tabs that were closed together last, such as those of a group, each as by
    /// ``reopen(_:in:)``. The one that was active then is activated, else the first.
    ///
    /// - Returns: the tabs, in the order in which they are in their window; empty if no closed tab
    ///   is left.
    @discardableResult
    public func reopenLast(in window: (any WindowReference)? = nil) throws(SessionRestorationError)
        -> [Tab]
    {
        try context.checkIsRunning()
        guard let last = records.tabs.last else { return [] }
        return try reopen(last.closing, in: window)
    }

    /// Opens again all tabs of one closing, as ``reopenLast(in:)`` does; empty if none of it is left.
    @discardableResult
    public func reopen(
        _ closing: ClosingID, in window: (any WindowReference)? = nil
    ) throws(SessionRestorationError) -> [Tab] {
        try context.checkIsRunning()
        return try reopen(records.tabs.reversed().filter { $0.closing == closing }, in: window)
    }

    /// Drops a closed tab with everything that is saved of it. Does nothing if there is none.
    public func forget(_ id: TabID) throws(SessionRestorationError) {
        try context.checkIsRunning()
        if records[id] != nil { records.forget([id]) }
    }

    /// Drops all closed tabs with everything that is saved of them: the user clears the history.
    public func forgetAll() throws(SessionRestorationError) {
        try context.checkIsRunning()
        records.forget(Set(records.tabs.map(\.id)))
    }

    // MARK: Putting back

    /// Each comes to its own window if that is open.
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
        let group = closed.group.flatMap { list.group($0.id) }
        let index = try list.insert(
            tab, TabInsertion(at: closed.index, isPinned: closed.isPinned, group: group?.id))
        if let gone = closed.group, group == nil { try list.createGroup(gone, at: [index]) }
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
