import BrowserSessions

extension TabList {
    /// Moves a tab and returns its new index.
    ///
    /// The tab keeps its pin and its group: an index beyond the list, the pinned tabs or the group
    /// becomes the nearest allowed one. A tab without a group that would split a group comes after
    /// it.
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
        return relocate(tabs[index], from: index, to: target).index
    }

    /// Pins a tab and returns its new index, which is the end of the pinned tabs. The tab leaves
    /// its group. A pinned tab stays where it is.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func pin(_ tab: some TabReference) throws(TabListError) -> Int {
        guard mayChange() else { throw .reentrant }
        return setPinned(true, at: try place(of: tab))
    }

    /// Unpins a tab and returns its new index, directly after the pinned tabs. A tab that is not
    /// pinned stays where it is.
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
        let target = isPinned ? pinnedCount : pinnedCount - 1
        let new = relocate(tab, from: index, to: target) {
            $0.group = nil
            $0.isPinned = isPinned
        }
        tell(.attributesChanged(tab, at: new.index))
        for group in new.ended { tell(.groupChanged(group)) }
        return new.index
    }

    /// Removes a tab, changes it, and inserts it at the allowed index nearest the target. Reports
    /// the move if the index changed.
    ///
    /// - Returns: the new index, and the groups that ended because the tab left them.
    @discardableResult
    func relocate(
        _ tab: Tab, from index: Int, to target: Int,
        _ change: (inout TabMetadata) -> Void = { _ in }
    ) -> (index: Int, ended: [TabGroupID]) {
        let former = tab.group
        order.remove(at: index)
        change(&tab.metadata)
        let allowed = allowedRange(isPinned: tab.isPinned, group: tab.group)
        let near = allowed.contains(target) ? target : nearestEnd(target, of: allowed)
        let new = outsideOfGroups(near, except: tab.group)
        order.insert(tab, at: new)
        let ended = endEmptyGroups(former.map { [$0] } ?? [])
        guard new != index else { return (index, ended) }
        let isRenumbered = !keepPlace(ofTabAt: new)
        tell(.moved(tab, from: index, to: new))
        if isRenumbered { tell(.renumbered) }
        return (new, ended)
    }
}
