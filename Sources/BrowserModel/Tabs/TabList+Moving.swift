import BrowserSessions

extension TabList {
    /// Moves a tab and returns its new index.
    ///
    /// It stays pinned or not, and in its group: an index beyond the pinned tabs, or beyond its
    /// group, is moved to the nearest one that is allowed. A tab without a group that would split
    /// another's comes behind it.
    @discardableResult
    public func move(from index: Int, to target: Int) -> Int {
        precondition(tabs.indices.contains(target), "the target \(target) is not in 0..<\(count)")
        guard mayChange() else { return index }
        let tab = tabs[index]
        return relocate(tab, from: index, to: target)
    }

    /// Pins or unpins a tab and returns its new index: the end of the pinned tabs, or right behind
    /// them. A tab that is pinned leaves its group.
    @discardableResult
    public func setPinned(_ isPinned: Bool, at index: Int) -> Int {
        guard mayChange() else { return index }
        let tab = tabs[index]
        guard tab.metadata.isPinned != isPinned else { return index }
        let group = tab.metadata.group
        tab.metadata.group = nil
        tab.metadata.isPinned = isPinned
        pinnedCount += isPinned ? 1 : -1
        let ended = endEmptyGroups(group.map { [$0] } ?? [])
        let new = relocate(tab, from: index, to: isPinned ? pinnedCount - 1 : pinnedCount)
        tell(.attributesChanged(tab, at: new))
        for group in ended { tell(.groupChanged(group)) }
        return new
    }

    /// Takes the tab out and puts it to where it may be, near the target.
    @discardableResult
    func relocate(_ tab: Tab, from index: Int, to target: Int) -> Int {
        let isPinned = tab.metadata.isPinned
        tabs.remove(at: index)
        if isPinned { pinnedCount -= 1 }
        let allowed = allowedRange(isPinned: isPinned, group: tab.metadata.group)
        let near = min(max(target, allowed.lowerBound), allowed.upperBound)
        let new = outsideOfGroups(near, except: tab.metadata.group)
        tabs.insert(tab, at: new)
        if isPinned { pinnedCount += 1 }
        guard new != index else { return index }
        let isRenumbered = !keepPlace(ofTabAt: new)
        tell(.moved(tab, from: index, to: new))
        if isRenumbered { tell(.renumbered) }
        return new
    }
}
