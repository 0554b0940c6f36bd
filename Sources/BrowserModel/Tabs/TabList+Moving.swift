import BrowserSessions

extension TabList {
    /// Moves a tab and returns its new index.
    ///
    /// The tab stays pinned or not, and in its group or other node, with what branches from it: an index
    /// beyond the list, the pinned tabs or the group becomes the nearest allowed one. A tab that would split
    /// a group comes after it.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func move(_ tab: some TabReference, to index: Int) throws(TabListError) -> Int {
        guard mayChange() else { throw .reentrant }
        return move(from: try place(of: tab), to: index)
    }

    @discardableResult
    package func move(from index: Int, to target: Int) -> Int {
        guard mayChange() else { return index }
        let tab = tabs[index]
        let was = tab.metadata
        var reports: [TabListChange] = []
        relocate(
            .tab(tab),
            to: Goal(
                parent: tab.above.item, edge: was.edge, zone: was.zone, position: .index(target)),
            &reports)
        for report in reports { tell(report) }
        return order.index(of: tab) ?? index
    }

    /// Pins a tab and returns its new index, which is the end of the pinned tabs. The tab leaves
    /// its group and what else it is in, and what branches from it stays. A pinned tab stays where it is.
    /// To pin more together, move it to a target in the zone.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func pin(_ tab: some TabReference) throws(TabListError) -> Int {
        guard mayChange() else { throw .reentrant }
        return setPinned(true, at: try place(of: tab))
    }

    /// Unpins a tab and returns its new index, directly after the pinned tabs. It leaves what it is in. A
    /// tab that is not pinned stays where it is.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func unpin(_ tab: some TabReference) throws(TabListError) -> Int {
        guard mayChange() else { throw .reentrant }
        return setPinned(false, at: try place(of: tab))
    }

    @discardableResult
    package func setPinned(_ isPinned: Bool, at index: Int) -> Int {
        guard mayChange() else { return index }
        let tab = tabs[index]
        guard tab.isPinned != isPinned else { return index }
        var reports: [TabListChange] = []
        report(
            order.lift(
                tab.branches.items, outOf: .tab(tab),
                closing: false),
            &reports)
        relocate(
            .tab(tab),
            to: Goal(
                parent: nil, edge: .member, zone: isPinned ? .pinned : .normal,
                position: isPinned ? .last : .first), &reports)
        for report in reports { tell(report) }
        return order.index(of: tab) ?? index
    }
}
