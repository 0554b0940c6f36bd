public import BrowserSessions

extension TabList {
    /// Inserts saved tabs and nodes before those of each zone that are already in the list, in one batch.
    ///
    /// They keep their structure, openers and order keys; anything that breaks the rules of a forest is
    /// corrected as a store does it. If order keys do not say the order of the tabs, all get new ones. A node that is in another list of the profile gets another
    /// identifier; one that is in this list stays as it is here, and what is in it comes last there. Tabs
    /// that were opened in the meantime come after, and an active one stays active. Without one, `active`
    /// becomes active if it is in the list. It is not realized and does not count as shown. A tab that
    /// ``insert(_:as:)`` would refuse is omitted.
    ///
    /// The ``rules`` do not matter: the list keeps what its host does not show.
    ///
    /// - Returns: the tabs that were inserted.
    @discardableResult
    public func restore(_ saved: [Tab], nodes: [StructureNode], active: TabID?) -> [Tab] {
        restore(saved, nodes: nodes, active: active, isSound: false).tabs
    }

    /// - Parameter isSound: whether the tabs and nodes break no rule and are in order, as they are read.
    /// - Returns: the tabs that were inserted, and whether the list has now the saved tabs and nodes as they
    ///   are, and no others.
    package func restore(
        _ saved: [Tab], nodes: [StructureNode], active: TabID?, isSound: Bool
    ) -> (tabs: [Tab], isAsSaved: Bool) {
        guard mayChange() else { return ([], false) }
        let admitted = registry.insert(saved, offTheRecord: isOffTheRecord) {
            refusal(of: $0) == nil
        }
        return performBatch { list in
            list.welcome(admitted)
            let isAsSaved =
                isSound && admitted.count == saved.count && list.isEmpty && list.order.nodes.isEmpty
                && !nodes.contains { list.isKnown($0.id) }
            let coming =
                isAsSaved ? list.coming(admitted, nodes) : list.mended(admitted, nodes)
            let corrections = list.order.merge(coming.items, sorted: false, atFront: true) {
                isAsSaved || coming.ids.contains($0)
            }
            if !admitted.isEmpty { list.tell(.restored(coming.tabs)) }
            list.tellOfAttributes(
                of: Set(corrections.tabs).union(
                    coming.changed.compactMap { list.order.index(of: $0) }
                )
                .sorted())
            list.telling {
                for tab in admitted where tab.isRealized {
                    list.delegate?.tabList(list, attachHelpersTo: tab)
                }
            }
            for node in Set(coming.nodes + corrections.nodes).sorted() {
                list.tell(.nodeChanged(node))
            }
            if corrections.isRenumbered { list.tell(.renumbered) }
            if list.activeTab == nil, let tab = active.flatMap({ list.tab($0) }) {
                list.activeTab = tab
                list.tell(.activated(tab, previous: nil))
            }
            let isUnchanged = corrections.tabs.isEmpty && corrections.nodes.isEmpty
            return (coming.tabs, isAsSaved && isUnchanged)
        }
    }

    /// Makes tabs that are about to come those of this list.
    func welcome(_ tabs: [Tab]) {
        telling {
            if let delegate { for tab in tabs { delegate.tabList(self, willInsert: tab) } }
            for tab in tabs {
                own(tab)
                tab.makeFirstPage()
            }
        }
    }

    /// Saved tabs and nodes that break no rule.
    private struct Coming {
        var items: [ListItem] = []
        /// The tabs in their order.
        var tabs: [Tab] = []
        /// The nodes that are new in the list.
        var nodes: [NodeID] = []
        /// The identifiers of all, unless they are all that is in the list.
        var ids: Set<NodeID> = []
        /// The tabs that had to change.
        var changed: [Tab] = []
    }

    func isKnown(_ node: NodeID) -> Bool {
        registry.contains(node, offTheRecord: isOffTheRecord)
    }

    private func coming(_ saved: [Tab], _ nodes: [StructureNode]) -> Coming {
        for node in nodes { registry.insert(node.id, offTheRecord: isOffTheRecord) }
        var coming = Coming()
        coming.items.reserveCapacity(nodes.count + saved.count)
        // A node comes directly before the first tab in it, so that siblings come in their order.
        var (next, parent): (Int, NodeID?) = (0, nil)
        let places = Dictionary(
            nodes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        for tab in saved {
            if let other = tab.metadata.parent, other != parent {
                parent = other
                while let place = places[other], next <= place {
                    coming.items.append(.node(ListNode(nodes[next])))
                    next += 1
                }
            }
            coming.items.append(.tab(tab))
        }
        for node in nodes[next...] { coming.items.append(.node(ListNode(node))) }
        (coming.tabs, coming.nodes) = (saved, nodes.map(\.id))
        return coming
    }

    /// Puts saved tabs and nodes in order and mends what breaks a rule.
    private func mended(_ saved: [Tab], _ nodes: [StructureNode]) -> Coming {
        var session = RestoredSession(
            id: SessionID(window: .random(), kind: .regular), attributes: SessionAttributes(),
            tabs: saved.map(\.metadata))
        let before = session.tabs
        session.nodes = renamed(nodes, &session.tabs)
        session.numberByOrder()
        let sequence = session.repairForest { self.isKnown($0) }
        var coming = Coming()
        coming.items.reserveCapacity(session.nodes.count + saved.count)
        for record in session.nodes where order.nodes[record.id] == nil {
            registry.insert(record.id, offTheRecord: isOffTheRecord)
            coming.items.append(.node(ListNode(record)))
            coming.nodes.append(record.id)
        }
        for (place, metadata) in zip(sequence, session.tabs) {
            let tab = saved[place]
            if before[place] != metadata {
                tab.metadata = metadata
                coming.changed.append(tab)
            }
            coming.tabs.append(tab)
            coming.items.append(.tab(tab))
        }
        coming.ids = Set(coming.items.map(\.id))
        return coming
    }

    /// Returns nodes with those of this list that they are below. What is in another list gets another
    /// identifier.
    private func renamed(_ nodes: [StructureNode], _ tabs: inout [TabMetadata]) -> [StructureNode] {
        var ids: Set<NodeID> = []
        var nodes = nodes.filter { ids.insert($0.id).inserted }
        var names: [NodeID: NodeID] = [:]
        for node in nodes where order.nodes[node.id] == nil {
            guard isKnown(node.id) else { continue }
            names[node.id] = .random()
        }
        if !names.isEmpty {
            for index in nodes.indices {
                let origin = nodes[index].origin
                if let name = names[nodes[index].id] {
                    nodes[index].id = name
                    nodes[index].origin = origin
                }
                nodes[index].parent = nodes[index].parent.map { names[$0] ?? $0 }
            }
            for index in tabs.indices {
                if let name = tabs[index].parent.flatMap({ names[$0] }) {
                    tabs[index].parent = name
                }
            }
        }
        guard !order.nodes.isEmpty else { return nodes }
        // What is here stands in for what comes with the same identifier.
        var known = Dictionary(nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var next = nodes.compactMap(\.parent) + tabs.compactMap(\.parent) + nodes.map(\.id)
        while let id = next.popLast() {
            guard let record = order.nodes[id]?.record, known[id] != record else { continue }
            known[id] = record
            if let parent = record.parent { next.append(parent) }
        }
        return known.values.sorted { $0.id < $1.id }
    }
}

extension RestoredSession {
    /// Gives all tabs and groups new order keys if those of sibling tabs do not ascend.
    fileprivate mutating func numberByOrder() {
        struct Siblings: Hashable {
            var parent: NodeID?
            var edge: NodeEdge
            var zone: NodeZone
        }
        var last: [Siblings: OrderKey] = [:]
        let isOrdered = tabs.allSatisfy { tab in
            let siblings = Siblings(parent: tab.parent, edge: tab.edge, zone: tab.zone)
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
