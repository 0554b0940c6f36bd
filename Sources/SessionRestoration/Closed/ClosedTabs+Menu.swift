public import BrowserModel
public import BrowserSessions

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
    ///   - window: the window to close tabs in; `nil` for all windows that are not off the record.
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
