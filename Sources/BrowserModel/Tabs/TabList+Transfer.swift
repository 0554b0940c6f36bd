import BrowserSessions

/// The position of tabs that move from another list.
public enum TabTransferPlace: Hashable, Sendable {
    /// Before the existing tabs: pinned tabs before the pinned ones, others directly after the
    /// pinned ones.
    case front
    /// After the existing tabs: pinned tabs after the pinned ones, others at the end.
    case end
}

extension TabList {
    /// Moves tabs to another list of the same partition and profile, in one batch of each list.
    ///
    /// The tabs keep their order, page, pins and groups, and the nodes that move with all tabs in them. They
    /// keep their order keys as far as possible, and any openers that move with them or are already there.
    /// Of a group that moves only in part, the other list gets another one that is alike, or the tabs join
    /// the one that it has already from there. If the
    /// other list has no active tab, the tab that was active here becomes active there, and is
    /// realized only if that list realizes its active tab. No other tab is realized.
    ///
    /// - Returns: the tabs that moved, in order; none if both lists are the same.
    /// - Throws: ``TabListError/unknownTab(_:)`` if one of them is not in this list;
    ///   ``TabListError/crossesPartitions(_:)`` or ``TabListError/crossesProfiles(_:)`` if the
    ///   other list is of another partition or profile; ``TabListError/duplicateIdentifier(_:)`` if
    ///   the lists do not share a profile; ``TabListError/windowClosed`` if the window of the
    ///   other list was closed; ``TabListError/reentrant`` while one of the lists notifies its
    ///   observers. Nothing changes then.
    @discardableResult
    public func transfer(
        _ tabs: some Sequence<some TabReference>, to other: TabList,
        at place: TabTransferPlace = .end
    ) throws(TabListError) -> [Tab] {
        guard mayChange(), other.mayChange() else { throw .reentrant }
        return try transfer(indexes: try places(of: tabs), to: other, at: place)
    }

    /// Moves one tab to another list of the same partition, like the method for several tabs.
    ///
    /// - Throws: the errors of the method for several tabs.
    @discardableResult
    public func transfer(
        _ tab: some TabReference, to other: TabList, at place: TabTransferPlace = .end
    ) throws(TabListError) -> [Tab] { try transfer([tab], to: other, at: place) }

    /// Moves tabs and nodes to another list of the same partition and profile, each with all that is below
    /// it, in one batch of each list. The nodes keep their identifiers.
    ///
    /// - Parameters:
    ///   - nodes: what moves; they come to stand in this order.
    ///   - other: the list that they go to.
    ///   - target: where they go there.
    /// - Returns: the tabs that moved, in order; none if both lists are the same.
    /// - Throws: the errors of the method for tabs; ``TabListError/unknownNode(_:)`` if one of them is not
    ///   in this list, or the target not in the other one; ``TabListError/breaksRule(_:_:)``. Nothing
    ///   changes then.
    @discardableResult
    public func transfer(
        _ nodes: some Sequence<some NodeReference>, to other: TabList, at target: NodeTarget
    ) throws(TabListError) -> [Tab] {
        guard mayChange(), other.mayChange() else { throw .reentrant }
        guard other !== self else { return [] }
        let items = topmost(try items(nodes))
        let moving = items.flatMap { tabs[order.range(of: $0)] }
        try check(moving, mayMoveTo: other)
        let goal = try other.resolve(target)
        for (count, item) in items.enumerated() {
            try other.check(item, at: goal, with: count, from: order)
        }
        let transfer = Transfer(
            moving, chosen: Set(items.map(\.id)), from: self, to: other, at: .end)
        carry(transfer, to: other) { $0.place(items.map(\.id), at: goal) }
        return moving
    }

    @discardableResult
    package func transfer(
        indexes: [Int], to other: TabList, at place: TabTransferPlace = .end
    ) throws(TabListError) -> [Tab] {
        guard mayChange(), other.mayChange() else { throw .reentrant }
        let indexes = Set(indexes).sorted()
        guard other !== self, !indexes.isEmpty else { return [] }
        let moving = indexes.map { tabs[$0] }
        try check(moving, mayMoveTo: other)
        let transfer = Transfer(moving, chosen: [], from: self, to: other, at: place)
        carry(transfer, to: other) { _ in }
        return moving
    }

    private func check(_ moving: [Tab], mayMoveTo other: TabList) throws(TabListError) {
        guard !other.isAbandoned else { throw .windowClosed }
        for tab in moving {
            if let foreignness = other.foreignness(of: tab) { throw foreignness }
        }
        guard other.registry !== registry else { return }
        for tab in moving where other.registry.contains(tab.id, offTheRecord: isOffTheRecord) {
            throw .duplicateIdentifier(tab.id)
        }
    }
}

/// Tabs and nodes that are moving between lists, with what they are to be in the second one.
private struct Transfer {
    let tabs: [Tab]
    let active: Tab?
    let place: TabTransferPlace
    /// All that comes, depth first: a tab with its record, or a node.
    private(set) var coming: [(tab: Tab, record: TabMetadata)] = []
    private(set) var nodes: [StructureNode] = []
    /// The nodes that leave the first list as a whole.
    private(set) var leaving: [ListNode] = []
    /// The order of the tabs and nodes, by identifier.
    private(set) var order: [NodeID] = []

    private let source: TabList
    private let target: TabList
    private let ids: Set<NodeID>
    private let chosen: Set<NodeID>
    private var whole: Set<NodeID> = []
    /// The identifiers of those that leave.
    private var gone: Set<NodeID> = []
    /// The groups in the second list for those that move in part.
    private var parts: [NodeID: NodeID] = [:]

    init(
        _ tabs: [Tab], chosen: Set<NodeID>, from source: TabList, to target: TabList,
        at place: TabTransferPlace
    ) {
        (self.tabs, self.chosen, self.source, self.target) = (tabs, chosen, source, target)
        (self.place, active) = (place, source.activeTab)
        ids = Set(tabs.map { NodeID($0.id) })
        if source.order.nodes.isEmpty, !tabs.contains(where: { $0.metadata.parent != nil }) {
            for tab in tabs { add(tab) }
        } else {
            source.order.visit { item in self.visit(item) }
        }
    }

    private mutating func visit(_ item: ListItem) {
        switch item {
        case .tab(let tab): if ids.contains(item.id) { add(tab) }
        case .node(let node):
            let range = source.order.range(of: item)
            let isWithParent =
                node.record.parent.map { gone.contains($0) || ids.contains($0) } ?? false
            let isWhole = !range.isEmpty && range.allSatisfy { ids.contains(NodeID(source[$0].id)) }
            guard
                chosen.isEmpty
                    ? isWhole || range.isEmpty && isWithParent
                    : isWithParent || chosen.contains(item.id)
            else { return }
            leaving.append(node)
            gone.insert(item.id)
            if !chosen.contains(item.id), node.record.kind == .group,
                let same = target.node(sameAs: node.record)
            {
                parts[item.id] = same.id
                return
            }
            whole.insert(item.id)
            var record = node.record
            (record.parent, record.edge) = newParent(of: item)
            record.zone = newZone(of: item, below: record.parent)
            nodes.append(record)
            order.append(record.id)
        }
    }

    private mutating func add(_ tab: Tab) {
        var record = tab.metadata
        let item = ListItem.tab(tab)
        if record.parent != nil {
            (record.parent, record.edge) = newParent(of: item)
            record.zone = newZone(of: item, below: record.parent)
            if record.parent != tab.metadata.parent { record.weight = 0 }
        }
        coming.append((tab, record))
        order.append(item.id)
    }

    private func newZone(of item: ListItem, below parent: NodeID?) -> NodeZone {
        parent == nil ? source.order.zone(of: item) : item.parent == parent ? item.zone : .normal
    }

    /// Returns what an item comes below: what it was below, if that moves, or else the nearest node above
    /// that moves, or a group for one that moves in part.
    private mutating func newParent(of item: ListItem) -> (NodeID?, NodeEdge) {
        if chosen.contains(item.id) { return (nil, .member) }
        var place = item
        while let parent = place.above {
            let id = parent.id
            if whole.contains(id) || ids.contains(id) { return (id, place.edge) }
            if place.edge.known == .member, let part = part(of: parent) { return (part, .member) }
            place = parent
        }
        return (nil, .member)
    }

    private mutating func part(of item: ListItem) -> NodeID? {
        guard case .node(let node) = item, node.record.kind == .group else { return nil }
        if let known = parts[item.id] { return known }
        let id: NodeID
        if let same = target.node(sameAs: node.record) {
            id = same.id
        } else {
            var record = node.record
            (record.id, record.origin) = (.random(), node.record.origin)
            (record.parent, record.edge) = newParent(of: item)
            record.zone = newZone(of: item, below: record.parent)
            nodes.append(record)
            order.append(record.id)
            id = record.id
        }
        parts[item.id] = id
        return id
    }
}

extension TabList {
    private func carry(_ transfer: Transfer, to other: TabList, then place: (TabList) -> Void) {
        performBatch { list in
            list.detach(at: transfer.tabs.compactMap { list.order.index(of: $0) })
            list.end(transfer.leaving)
            other.performBatch { other in
                other.accept(transfer)
                place(other)
            }
        }
    }

    /// Takes tabs and nodes that came to a place.
    private func place(_ ids: [NodeID], at goal: Goal) {
        var goal = goal
        for item in ids.compactMap({ order.item($0) }) {
            var reports: [TabListChange] = []
            relocate(item, to: goal, &reports)
            for report in reports { tell(report) }
            goal.position = .sibling(item, isBehind: true)
        }
    }

    private func accept(_ transfer: Transfer) {
        telling { for tab in transfer.tabs { delegate?.tabList(self, willInsert: tab) } }
        var items: [NodeID: ListItem] = [:]
        for (tab, record) in transfer.coming {
            take(tab)
            tab.metadata = record
            items[NodeID(tab.id)] = .tab(tab)
        }
        for record in transfer.nodes {
            registry.insert(record.id, offTheRecord: isOffTheRecord)
            items[record.id] = .node(ListNode(record))
        }
        let coming = transfer.order.compactMap { items[$0] }
        // Either those that come or those that are here get new order keys, whichever are fewer.
        let movedMore = coming.count > order.tabs.count + order.nodes.count
        let corrections = order.merge(coming, sorted: true, atFront: transfer.place == .front) {
            (items[$0] != nil) == movedMore
        }
        // What was in a group may have joined one that is here.
        let ended = endEmptyNodes(transfer.nodes.map(\.id))
        let moved = Set(transfer.tabs.map(ObjectIdentifier.init))
        for (index, tab) in tabs.enumerated() where moved.contains(ObjectIdentifier(tab)) {
            tell(.inserted(tab, at: index))
            if tab.isRealized { telling { delegate?.tabList(self, attachHelpersTo: tab) } }
        }
        for index in corrections.tabs where !moved.contains(ObjectIdentifier(tabs[index])) {
            tell(.attributesChanged(tabs[index], at: index))
        }
        for node in Set(transfer.nodes.map(\.id) + corrections.nodes).sorted() {
            tell(.nodeChanged(node))
        }
        if corrections.isRenumbered { tell(.renumbered) }
        for report in ended { tell(report) }
        if activeTab == nil, let active = transfer.active, moved.contains(ObjectIdentifier(active))
        {
            setActive(active)
        }
    }
}
