public import BrowserSessions

extension TabList {
    /// The groups, in the order of their tabs.
    public var groups: [StructureNode] {
        groupTable.values.compactMap { group in range(of: group.id).map { ($0.lowerBound, group) } }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The groups in their order, each in the place of its first tab.
    package var placedGroups: [StructureNode] {
        var groups = groups
        groups.takePlaces(of: groups.compactMap { placedTab(of: $0.id) })
        return groups
    }

    /// Returns a group in the place of its first tab; `nil` if it is not in the list.
    package func placedGroup(_ id: TabGroupID) -> StructureNode? {
        guard var group = groupTable[id], let first = placedTab(of: id) else { return nil }
        group.place = first.place
        return group
    }

    private func placedTab(of group: TabGroupID) -> TabMetadata? {
        range(of: group).map { tabs[$0.lowerBound].metadata }
    }

    /// Whether tabs are in groups.
    package var hasGroups: Bool { !groupTable.isEmpty }

    /// Returns a group with its name, color and collapsed state; `nil` if it is not in the list.
    public func group(_ id: TabGroupID) -> StructureNode? { groupTable[id] }

    /// Returns the indexes of a group's tabs; `nil` if the group has none.
    public func range(of group: TabGroupID) -> Range<Int>? { order.range(of: group) }

    /// Creates a group of tabs and returns their indexes. The tabs are unpinned, leave their groups
    /// and gather where the first one was, or after a group that they would split there.
    ///
    /// - Throws: ``TabListError/duplicateGroup(_:)`` if the list has the group already;
    ///   ``TabListError/emptyGroup(_:)`` if there are no tabs; ``TabListError/unknownTab(_:)`` if
    ///   one of them is not in the list; ``TabListError/reentrant`` while the list notifies its
    ///   observers.
    @discardableResult
    public func createGroup(
        _ group: StructureNode, of tabs: some Sequence<some TabReference>
    ) throws(TabListError) -> Range<Int> {
        guard mayChange() else { throw .reentrant }
        return try createGroup(group, at: try places(of: tabs))
    }

    @discardableResult
    package func createGroup(
        _ group: StructureNode, at indexes: [Int]
    ) throws(TabListError) -> Range<Int> {
        guard mayChange() else { throw .reentrant }
        guard groupTable[group.id] == nil else { throw .duplicateGroup(group.id) }
        guard !indexes.isEmpty else { throw .emptyGroup(group.id) }
        return performBatch { list in
            list.groupTable[group.id] = group.asGroupOfList
            let range = list.gather(indexes, into: group.id)
            list.tell(.groupChanged(group.id))
            return range
        }
    }

    /// Adds tabs to the end of a group and returns the indexes of the group. Pinned tabs are
    /// unpinned.
    ///
    /// - Throws: ``TabListError/unknownGroup(_:)`` if the list has no such group;
    ///   ``TabListError/unknownTab(_:)`` if one of them is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func add(
        _ tabs: some Sequence<some TabReference>, to group: TabGroupID
    ) throws(TabListError) -> Range<Int> {
        guard mayChange() else { throw .reentrant }
        return try add(at: try places(of: tabs), to: group)
    }

    /// Adds a tab to the end of a group and returns the indexes of the group. A pinned tab is
    /// unpinned.
    ///
    /// - Throws: ``TabListError/unknownGroup(_:)`` if the list has no such group;
    ///   ``TabListError/unknownTab(_:)`` if the tab is not in the list; ``TabListError/reentrant``
    ///   while the list notifies its observers.
    @discardableResult
    public func add(
        _ tab: some TabReference, to group: TabGroupID
    ) throws(TabListError) -> Range<Int> { try add([tab], to: group) }

    @discardableResult
    package func add(at indexes: [Int], to group: TabGroupID) throws(TabListError) -> Range<Int> {
        guard mayChange() else { throw .reentrant }
        guard groupTable[group] != nil else { throw .unknownGroup(group) }
        return performBatch { $0.gather(indexes, into: group) }
    }

    /// Removes tabs from their groups and moves each directly after its group. A group that loses
    /// its last tab ends.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if one of them is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func ungroup(_ tabs: some Sequence<some TabReference>) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        ungroup(at: try places(of: tabs))
    }

    /// Moves a tab out of its group, to directly after it. A group that loses its last tab ends.
    ///
    /// - Throws: ``TabListError/unknownTab(_:)`` if it is not in the list;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func ungroup(_ tab: some TabReference) throws(TabListError) { try ungroup([tab]) }

    package func ungroup(at indexes: [Int]) {
        guard mayChange() else { return }
        let tabs = Set(indexes).sorted().map { self.tabs[$0] }
        performBatch { list in
            for tab in tabs.reversed() { list.takeOut(tab) }
        }
    }

    /// Ends a group. Its tabs stay where they are.
    ///
    /// - Throws: ``TabListError/unknownGroup(_:)`` if the list has no such group;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func dissolve(_ group: TabGroupID) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        guard groupTable[group] != nil else { throw .unknownGroup(group) }
        performBatch { list in
            let range = list.range(of: group) ?? 0..<0
            list.order.dissolve(group)
            list.groupTable[group] = nil
            list.tellOfAttributes(of: range)
            list.tell(.groupChanged(group))
        }
    }

    /// Closes the tabs of a group, which ends the group.
    ///
    /// - Throws: ``TabListError/unknownGroup(_:)`` if the list has no such group;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func close(_ group: TabGroupID, reason: ClosingReason = .user) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        guard groupTable[group] != nil else { throw .unknownGroup(group) }
        close(at: Array(range(of: group) ?? 0..<0), reason: reason)
    }

    /// Updates the name, the color or the collapsed state of a group.
    ///
    /// - Throws: ``TabListError/unknownGroup(_:)`` if the list has no such group;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    public func update(_ group: StructureNode) throws(TabListError) {
        guard mayChange() else { throw .reentrant }
        guard let old = groupTable[group.id] else { throw .unknownGroup(group.id) }
        let group = group.asGroupOfList
        guard old != group else { return }
        groupTable[group.id] = group
        tell(.groupChanged(group.id))
    }

    /// Moves a whole group so that its first tab gets the index, or the nearest index that pinned
    /// tabs and other groups allow. Returns the indexes of the group.
    ///
    /// - Throws: ``TabListError/unknownGroup(_:)`` if the list has no such group;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func move(_ group: TabGroupID, to target: Int) throws(TabListError) -> Range<Int> {
        guard mayChange() else { throw .reentrant }
        guard groupTable[group] != nil, let old = range(of: group) else {
            throw .unknownGroup(group)
        }
        let members = order.lift(old)
        let start = outsideOfGroups(Swift.min(Swift.max(target, pinnedCount), count), except: nil)
        order.putBack(members, at: start)
        guard start != old.lowerBound else { return old }
        let new = start..<start + members.count
        let isRenumbered = !givePlaces(to: new)
        performBatch { list in
            // This order makes each index correct when it is reported.
            let offsets = Array(members.indices)
            for offset in start > old.lowerBound ? offsets.reversed() : offsets {
                let (from, to) = (old.lowerBound + offset, start + offset)
                list.tell(.moved(members[offset], from: from, to: to))
            }
            if isRenumbered { list.tell(.renumbered) }
        }
        return new
    }

    /// Returns the group of the list that is the same as one that was here, or in another list: it has
    /// its identifier, or both come from one group that tabs of several lists were in; `nil` if there
    /// is none.
    public func group(sameAs other: StructureNode) -> StructureNode? {
        groupTable[other.id]
            ?? groupTable.values.filter { $0.origin == other.origin }.min { $0.id < $1.id }
    }

    private func gather(_ indexes: [Int], into group: TabGroupID) -> Range<Int> {
        let members = Set(indexes).sorted().map { tabs[$0] }
        var ended: [TabGroupID] = []
        for tab in members where tab.group != group {
            guard let index = index(of: tab) else { continue }
            let end = range(of: group)?.upperBound
            // After the other tabs of the group, which shift forward if this tab was before them.
            let target = end.map { $0 > index ? $0 - 1 : $0 } ?? index
            let new = relocate(tab, from: index, to: target) {
                $0.isPinned = false
                $0.group = group
            }
            ended += new.ended
            tell(.attributesChanged(tab, at: new.index))
        }
        for group in ended { tell(.groupChanged(group)) }
        return range(of: group) ?? 0..<0
    }

    private func takeOut(_ tab: Tab) {
        guard let group = tab.group, let range = range(of: group), let index = index(of: tab)
        else { return }
        let new = relocate(tab, from: index, to: range.upperBound - 1) { $0.group = nil }
        tell(.attributesChanged(tab, at: new.index))
        for group in new.ended { tell(.groupChanged(group)) }
    }
}

extension StructureNode {
    private static let originName = "browser-sessions.group"

    /// The group that this one was made from, because a store has each group in one session and its
    /// tabs were in several; its own identifier if it was not.
    package var origin: TabGroupID {
        get { properties[Self.originName].flatMap { TabGroupID($0) } ?? id }
        set { properties[Self.originName] = newValue == id ? nil : newValue.description }
    }

    /// The group as lists keep it: where it stands follows from its tabs.
    var asGroupOfList: StructureNode {
        var group = self
        (group.kind, group.place, group.parent) = (.group, .middle, nil)
        (group.edge, group.zone) = (.member, .normal)
        return group
    }
}
