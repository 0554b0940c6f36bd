public import BrowserSessions

extension TabList {
    /// The groups, in the order of their tabs.
    public var groups: [TabGroup] {
        var seen: Set<TabGroupID> = []
        return tabs.compactMap { tab in
            guard let group = tab.metadata.group, seen.insert(group).inserted else { return nil }
            return groupTable[group]
        }
    }

    /// A group's name, colour and whether it is collapsed; `nil` if the list has no such group.
    public func group(_ id: TabGroupID) -> TabGroup? { groupTable[id] }

    /// The indexes of a group's tabs; `nil` if no tab is in it.
    public func range(of group: TabGroupID) -> Range<Int>? {
        guard let first = tabs.firstIndex(where: { $0.metadata.group == group }) else { return nil }
        let end = tabs[first...].firstIndex { $0.metadata.group != group }
        return first..<(end ?? count)
    }

    /// Makes a group of tabs and returns their indexes. They are unpinned, leave their former
    /// groups and come together where the first of them was, behind a group that they would split.
    @discardableResult
    public func createGroup(_ group: TabGroup, of indexes: [Int]) throws(TabListError) -> Range<Int>
    {
        guard mayChange() else { throw .reentrant }
        guard groupTable[group.id] == nil else { throw .duplicateGroup(group.id) }
        guard !indexes.isEmpty else { throw .emptyGroup(group.id) }
        return performBatch { list in
            list.groupTable[group.id] = group
            let range = list.gather(indexes, into: group.id)
            list.tell(.groupChanged(group.id))
            return range
        }
    }

    /// Adds tabs to the end of a group and returns the indexes of the group. Pinned ones are
    /// unpinned.
    @discardableResult
    public func add(_ indexes: [Int], to group: TabGroupID) throws(TabListError) -> Range<Int> {
        guard mayChange() else { throw .reentrant }
        guard groupTable[group] != nil else { throw .unknownGroup(group) }
        return performBatch { $0.gather(indexes, into: group) }
    }

    /// Takes tabs out of their groups, each to right behind its group. A group that loses its last
    /// tab ends.
    public func ungroup(_ indexes: [Int]) {
        guard mayChange() else { return }
        let tabs = Set(indexes).sorted().map { self.tabs[$0] }
        performBatch { list in
            for tab in tabs.reversed() { list.takeOut(tab) }
        }
    }

    /// Ends a group; its tabs stay where they are.
    public func dissolve(_ group: TabGroupID) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        guard groupTable[group] != nil else { throw .unknownGroup(group) }
        performBatch { list in
            let range = list.range(of: group) ?? 0..<0
            for tab in list.tabs[range] { tab.metadata.group = nil }
            list.groupTable[group] = nil
            list.tellOfAttributes(of: range)
            list.tell(.groupChanged(group))
        }
    }

    /// Closes the tabs of a group, which ends it.
    public func close(_ group: TabGroupID, _ reason: ClosingReason = .user) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        guard groupTable[group] != nil else { throw .unknownGroup(group) }
        close(at: Array(range(of: group) ?? 0..<0), reason)
    }

    /// Renames, recolours, collapses or expands a group.
    public func update(_ group: TabGroup) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        guard let old = groupTable[group.id] else { throw .unknownGroup(group.id) }
        guard old != group else { return }
        groupTable[group.id] = group
        tell(.groupChanged(group.id))
    }

    /// Moves a whole group so that its first tab gets the index, as near as pinned tabs and other
    /// groups allow; returns the indexes of the group.
    @discardableResult
    public func move(_ group: TabGroupID, to target: Int) throws(TabListError) -> Range<Int> {
        guard mayChange() else { throw .reentrant }
        guard groupTable[group] != nil, let old = range(of: group) else {
            throw .unknownGroup(group)
        }
        let members = Array(tabs[old])
        tabs.removeSubrange(old)
        let start = outsideOfGroups(min(max(target, pinnedCount), count), except: nil)
        tabs.insert(contentsOf: members, at: start)
        guard start != old.lowerBound else { return old }
        let new = start..<start + members.count
        let isRenumbered = !givePlaces(to: new)
        performBatch { list in
            // In this order each index is right when it is told.
            let offsets = Array(members.indices)
            for offset in start > old.lowerBound ? offsets.reversed() : offsets {
                let (from, to) = (old.lowerBound + offset, start + offset)
                list.tell(.moved(members[offset], from: from, to: to))
            }
            if isRenumbered { list.tell(.renumbered) }
        }
        return new
    }

    private func gather(_ indexes: [Int], into group: TabGroupID) -> Range<Int> {
        let members = Set(indexes).sorted().map { tabs[$0] }
        var ended: [TabGroupID] = []
        for tab in members where tab.metadata.group != group {
            guard let index = index(of: tab.id) else { continue }
            let isNew = range(of: group) == nil
            let former = tab.metadata.group
            if tab.metadata.isPinned {
                tab.metadata.isPinned = false
                pinnedCount -= 1
            }
            tab.metadata.group = nil
            let target = isNew ? index : range(of: group)?.upperBound ?? index
            tab.metadata.group = group
            ended += endEmptyGroups(former.map { [$0] } ?? [])
            let new = relocate(tab, from: index, to: target > index && !isNew ? target - 1 : target)
            tell(.attributesChanged(tab, at: new))
        }
        for group in ended { tell(.groupChanged(group)) }
        return range(of: group) ?? 0..<0
    }

    private func takeOut(_ tab: Tab) {
        guard let group = tab.metadata.group, let range = range(of: group),
            let index = index(of: tab.id)
        else { return }
        tab.metadata.group = nil
        let ended = endEmptyGroups([group])
        let new = relocate(tab, from: index, to: range.upperBound - 1)
        tell(.attributesChanged(tab, at: new))
        for group in ended { tell(.groupChanged(group)) }
    }
}
