package import BrowserSessions

/// A list that gets the tabs and nodes of another state.
extension TabList {
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
            let admitted = list.registry.insert(new, offTheRecord: list.isOffTheRecord) {
                list.refusal(of: $0) == nil
            }
            list.welcome(admitted)
            let corrections = list.rebuild(list.tabs + admitted, records, nodes)
            list.tell(.restored(admitted))
            list.telling {
                for tab in admitted where tab.isRealized {
                    list.delegate?.tabList(list, attachHelpersTo: tab)
                }
            }
            list.tellOfAttributes(
                of: list.tabs.indices.filter { index in
                    before[list.tabs[index].id].map { $0 != list.tabs[index].metadata } ?? false
                })
            for node in list.nodes where formerNodes[node.id] != node {
                list.tell(.nodeChanged(node.id))
            }
            if corrections.isRenumbered { list.tell(.renumbered) }
        }
    }

    /// Ends the nodes that are not among these. What is in them takes their places.
    package func endNodes(except kept: Set<NodeID>) {
        let nodes = order.nodes.filter { !kept.contains($0.key) }
        guard !nodes.isEmpty, mayChange() else { return }
        performBatch { list in
            // Those that are below others of them come later.
            var ending: [ListNode] = []
            list.order.visit {
                if case .node(let node) = $0, nodes[node.record.id] != nil { ending.append(node) }
            }
            list.end(ending)
        }
    }

    /// Puts tabs and nodes where their records say.
    private func rebuild(
        _ tabs: [Tab], _ records: [TabMetadata], _ nodes: [StructureNode]
    ) -> TabForest.Corrections {
        let known = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var session = RestoredSession(
            id: SessionID(window: .random(), kind: .regular), attributes: SessionAttributes(),
            tabs: tabs.map { known[$0.id] ?? $0.metadata })
        session.nodes = nodes.filter { order.nodes[$0.id] != nil || !isKnown($0.id) }
        let sequence = session.repairForest { order.item($0) == nil && isKnown($0) }
        for tab in tabs { tab.forgetChildren() }
        for node in order.nodes.keys { registry.remove(node, offTheRecord: isOffTheRecord) }
        order.removeAll()
        var items: [ListItem] = []
        for record in session.nodes {
            registry.insert(record.id, offTheRecord: isOffTheRecord)
            items.append(.node(ListNode(record)))
        }
        for (place, record) in zip(sequence, session.tabs) {
            tabs[place].metadata = record
            items.append(.tab(tabs[place]))
        }
        return order.merge(items, sorted: false, atFront: false) { _ in true }
    }
}
