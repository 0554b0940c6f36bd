package import BrowserSessions

extension TabList {
    /// Inserts saved tabs and nodes before those of each zone that are already in the list, in one batch.
    ///
    /// They keep their structure, openers and order keys; anything that breaks the rules of a forest is
    /// corrected as a store does it. If order keys do not say the order of the tabs, all get new ones. A node
    /// that is in another list of the profile gets another identifier; one that is in this list stays as it is
    /// here, and what is in it comes last there. Tabs that were opened in the meantime come after, and an
    /// active one stays active. Without one, `active` becomes active if it is in the list. It is not realized
    /// and does not count as shown. A tab that ``insert(_:as:)`` would refuse is omitted.
    ///
    /// The ``rules`` do not matter: the list keeps what its host does not show.
    ///
    /// - Parameter isSound: whether the tabs and nodes break no rule and are in order, as they are read.
    /// - Returns: the tabs that were inserted, and whether the list has now the saved tabs and nodes as they
    ///   are, and no others.
    @discardableResult
    package func restore(
        _ saved: [Tab], nodes: [StructureNode], active: TabID?, isSound: Bool = false
    ) -> (tabs: [Tab], isAsSaved: Bool) {
        guard mayChange() else { return ([], false) }
        let admitted = order.known.insert(saved) { refusal(of: $0) == nil }
        return performBatch { list in
            list.welcome(admitted)
            let isAsSaved =
                isSound && admitted.count == saved.count && list.isEmpty && list.order.nodes.isEmpty
                && !nodes.contains { list.order.known.contains($0.id) }
            let coming = isAsSaved ? Coming(admitted, nodes) : list.mended(admitted, nodes)
            let corrections = list.order.merge(coming.items, sorted: false, atFront: true) {
                isAsSaved || coming.ids.contains($0)
            }
            let changed = coming.changed.compactMap { list.order.index(of: $0) }
            list.tellOfArrival(
                coming.tabs, changed: Set(corrections.tabs).union(changed).sorted(),
                Set(coming.nodes + corrections.nodes).sorted(), corrections.isRenumbered)
            if list.activeTab == nil, let tab = active.flatMap({ list.tab($0) }) {
                list.activeTab = tab
                list.tell(.activated(tab, previous: nil))
            }
            let isUnchanged = corrections.tabs.isEmpty && corrections.nodes.isEmpty
            return (coming.tabs, isAsSaved && isUnchanged)
        }
    }

    /// Gives tabs and nodes other records, and adds tabs, in one batch. Nodes without a record end.
    ///
    /// The tabs of the list stay, also those without a record. What breaks the rules of a forest is corrected as
    /// a store does it; the ``rules`` do not matter, since a list keeps what its host does not show. Observers
    /// are notified of tabs that were restored, whether or not any came, and of each record that changed.
    ///
    /// - Parameters:
    ///   - records: the records of tabs that are in the list or come.
    ///   - nodes: all nodes that the list is to have. One that is in another list of the profile is left out.
    ///   - new: the tabs that come. One that ``insert(_:as:)`` would refuse is left out.
    package func arrange(_ records: [TabMetadata], _ nodes: [StructureNode], adding new: [Tab]) {
        guard mayChange() else { return }
        let before = Dictionary(uniqueKeysWithValues: tabs.map { ($0.id, $0.metadata) })
        let formerNodes = order.nodes.mapValues(\.record)
        performBatch { list in
            list.endNodes(except: Set(nodes.map(\.id)))
            let admitted = list.order.known.insert(new) { list.refusal(of: $0) == nil }
            list.welcome(admitted)
            let isRenumbered = list.rebuild(list.tabs + admitted, records, nodes)
            list.tellOfArrival(
                admitted, evenIfNone: true,
                changed: list.indices.filter { index in
                    before[list[index].id].map { $0 != list[index].metadata } ?? false
                }, list.nodes.filter { formerNodes[$0.id] != $0 }.map(\.id), isRenumbered)
        }
    }

    /// Ends the nodes that are not among these. What is in them takes their places.
    package func endNodes(except kept: Set<NodeID>) {
        guard order.nodes.keys.contains(where: { !kept.contains($0) }), mayChange() else { return }
        performBatch { list in
            // Those that are below others of them come later.
            list.end(
                list.nodes.filter { !kept.contains($0.id) }.compactMap { list.order.nodes[$0.id] })
        }
    }

    /// Makes tabs that are about to come those of this list.
    private func welcome(_ tabs: [Tab]) {
        telling {
            if let delegate { for tab in tabs { delegate.tabList(self, willInsert: tab) } }
            for tab in tabs {
                own(tab)
                tab.makeFirstPage()
            }
        }
    }

    private func tellOfArrival(
        _ tabs: [Tab], evenIfNone: Bool = false, changed: [Int], _ nodes: [NodeID],
        _ isRenumbered: Bool
    ) {
        if evenIfNone || !tabs.isEmpty { tell(.restored(tabs)) }
        tellOfAttributes(of: changed)
        attachHelpers(to: tabs)
        for node in nodes { tell(.nodeChanged(node)) }
        if isRenumbered { tell(.renumbered) }
    }

    /// Puts tabs and nodes where their records say.
    ///
    /// - Returns: whether siblings got new order keys.
    private func rebuild(
        _ tabs: [Tab], _ records: [TabMetadata], _ nodes: [StructureNode]
    ) -> Bool {
        let known = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var session = RestoredSession(tabs.map { known[$0.id] ?? $0.metadata })
        let isElsewhere = { [order] (id: NodeID) in
            order.item(id) == nil && order.known.contains(id)
        }
        session.nodes = nodes.filter { order.nodes[$0.id] != nil || !order.known.contains($0.id) }
        let sequence = session.repairForest(isElsewhere: isElsewhere)
        order.removeAll()
        for (row, record) in zip(sequence, session.tabs) { tabs[row].metadata = record }
        let items = session.nodes.map { ListNode($0) as any ListItem } + sequence.map { tabs[$0] }
        return order.merge(items, sorted: false, atFront: false) { _ in true }.isRenumbered
    }

    /// Puts saved tabs and nodes in order and mends what breaks a rule.
    private func mended(_ saved: [Tab], _ nodes: [StructureNode]) -> Coming {
        var session = RestoredSession(saved.map(\.metadata))
        let before = session.tabs
        session.nodes = order.renamed(nodes, &session.tabs)
        session.numberByOrder()
        let sequence = session.repairForest { order.known.contains($0) }
        var coming = Coming()
        coming.items.reserveCapacity(session.nodes.count + saved.count)
        for record in session.nodes where order.nodes[record.id] == nil {
            coming.items.append(ListNode(record))
            coming.nodes.append(record.id)
        }
        for (row, metadata) in zip(sequence, session.tabs) {
            let tab = saved[row]
            if before[row] != metadata {
                tab.metadata = metadata
                coming.changed.append(tab)
            }
            coming.tabs.append(tab)
            coming.items.append(tab)
        }
        coming.ids = Set(coming.items.map(\.nodeID))
        return coming
    }
}

/// Saved tabs and nodes that break no rule.
private struct Coming {
    var items: [any ListItem] = []
    /// The tabs in their order.
    var tabs: [Tab] = []
    /// The nodes that are new in the list.
    var nodes: [NodeID] = []
    /// The identifiers of all, unless they are all that is in the list.
    var ids: Set<NodeID> = []
    /// The tabs that had to change.
    var changed: [Tab] = []

    init() {}

    /// All that comes into an empty list: a node directly before the first tab in it, so that siblings come in
    /// their order.
    init(_ saved: [Tab], _ nodes: [StructureNode]) {
        (tabs, self.nodes) = (saved, nodes.map(\.id))
        items.reserveCapacity(nodes.count + saved.count)
        var (next, parent): (Int, NodeID?) = (0, nil)
        let rows = Dictionary(
            nodes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        for tab in saved {
            if let other = tab.metadata.parent, other != parent {
                parent = other
                while let row = rows[other], next <= row {
                    items.append(ListNode(nodes[next]))
                    next += 1
                }
            }
            items.append(tab)
        }
        for node in nodes[next...] { items.append(ListNode(node)) }
    }
}

extension RestoredSession {
    fileprivate init(_ tabs: [TabMetadata]) {
        self.init(
            id: SessionID(window: .random(), kind: .regular), attributes: SessionAttributes(),
            tabs: tabs)
    }

    /// Gives all tabs and groups new order keys if those of sibling tabs do not ascend.
    fileprivate mutating func numberByOrder() {
        var last: [SessionRecord.SiblingList?: OrderKey] = [:]
        let isOrdered = tabs.allSatisfy { tab in
            let siblings = SessionRecord.tab(tab, in: id).position?.list
            let before = last.updateValue(tab.place, forKey: siblings)
            return before.map { $0 < tab.place } ?? true
        }
        guard !isOrdered else { return }
        for (index, place) in OrderKey.evenlySpaced(count: tabs.count).enumerated() {
            tabs[index].place = place
        }
        nodes.takePlaces(of: tabs)
    }
}
