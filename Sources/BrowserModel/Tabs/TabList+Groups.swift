public import BrowserSessions

extension TabList {
    /// Creates a group of tabs and returns their indexes. The tabs gather where the first one was, or
    /// as near as the ``rules`` allow, such as after the pinned tabs or after a group that they would split.
    ///
    /// - Throws: the errors of ``create(_:of:at:)``. Nothing changes then.
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
        var group = group
        group.kind = .group
        return try create(group, of: Set(indexes).sorted().map { tabs[$0] })
    }

    /// Adds tabs to the end of a group and returns the indexes of the group. Pinned tabs are
    /// unpinned.
    ///
    /// - Throws: ``TabListError/unknownNode(_:)`` if the list has no such group;
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
    /// - Throws: ``TabListError/unknownNode(_:)`` if the list has no such group;
    ///   ``TabListError/unknownTab(_:)`` if the tab is not in the list; ``TabListError/reentrant``
    ///   while the list notifies its observers.
    @discardableResult
    public func add(
        _ tab: some TabReference, to group: TabGroupID
    ) throws(TabListError) -> Range<Int> { try add([tab], to: group) }

    @discardableResult
    package func add(at indexes: [Int], to group: TabGroupID) throws(TabListError) -> Range<Int> {
        guard mayChange() else { throw .reentrant }
        guard let node = order.nodes[group] else { throw .unknownNode(group) }
        let items = Set(indexes).sorted().map { ListItem.tab(tabs[$0]) }
            .filter { $0.parent != group || $0.edge == .branch }
        let goal = Goal(parent: .node(node), edge: .member, zone: .normal, position: .last)
        for item in items { try check(item, at: goal) }
        return performBatch { list in
            list.gather(items, into: node)
            return list.range(of: group) ?? 0..<0
        }
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

    /// Moves a whole group so that its first tab gets the index, or the nearest index that pinned
    /// tabs and other groups allow. Returns the indexes of the group.
    ///
    /// - Throws: ``TabListError/unknownNode(_:)`` if the list has no such group;
    ///   ``TabListError/reentrant`` while the list notifies its observers.
    @discardableResult
    public func move(_ group: TabGroupID, to target: Int) throws(TabListError) -> Range<Int> {
        guard mayChange() else { throw .reentrant }
        guard let node = order.nodes[group] else { throw .unknownNode(group) }
        let record = node.record
        var reports: [TabListChange] = []
        relocate(
            .node(node),
            to: Goal(
                parent: node.above.item, edge: record.edge, zone: record.zone,
                position: .index(target)),
            &reports)
        tell(reports)
        return order.range(of: .node(node))
    }

    /// Returns the group of the list that is the same as one that was here, or in another list: it has
    /// its identifier, or both come from one group that tabs of several lists were in; `nil` if there
    /// is none.
    public func group(sameAs other: StructureNode) -> StructureNode? {
        node(sameAs: other).flatMap { group($0.id) }
    }

    /// Returns a group that the list lacks as it can have it: under another identifier if another list of
    /// the profile has one with its own.
    package func named(_ group: StructureNode) -> StructureNode {
        guard registry.contains(group.id, offTheRecord: isOffTheRecord) else { return group }
        var copy = group
        (copy.id, copy.origin) = (.random(), group.origin)
        return copy
    }

    func node(sameAs other: StructureNode) -> StructureNode? {
        if let node = node(other.id) { return node }
        guard !order.nodes.isEmpty else { return nil }
        let origin = other.origin
        return order.nodes.values.map(\.record).filter { $0.kind == .group && $0.origin == origin }
            .min { $0.id < $1.id }
    }

    private func takeOut(_ tab: Tab) {
        guard let group = surroundings(of: .tab(tab)).group else { return }
        let item = ListItem.node(group)
        var reports: [TabListChange] = []
        relocate(
            .tab(tab),
            to: Goal(
                parent: item.above, edge: item.edge, zone: item.zone,
                position: .sibling(item, isBehind: true)), &reports)
        for report in reports { tell(report) }
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
}
