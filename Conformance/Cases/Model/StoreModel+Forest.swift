import BrowserSessions

extension StoreModel {
    /// Whether a node or tab that the set puts or removes breaks a rule of the forest after it.
    func breaksForest(_ changes: SessionChanges) -> Bool {
        let touched = TouchedNodes(changes, in: self)
        guard touched.concernsForest else { return false }
        var after = self
        after.apply(changes, nil)
        let partition = changes.partition
        return touched.put.contains { id in
            hasDouble(id, touched, after, partition)
                || after.breaksAbove(id, partition, since: self)
        } || touched.leaving.contains { leavesChildren($0, after, touched, partition) }
    }

    private func element(_ id: NodeID, _ partition: StoragePartition) -> (
        element: ModelForest.Element, session: SessionID
    )? {
        if let home = nodes[partition]?[id] {
            return (ModelForest.Element(home.node), home.session)
        }
        return homes[partition]?[TabID(id)].map { (ModelForest.Element($0.tab), $0.session) }
    }

    private func hasDouble(
        _ id: NodeID, _ touched: TouchedNodes, _ after: StoreModel, _ partition: StoragePartition
    ) -> Bool {
        touched.tabs.contains(id)
            ? nodes[partition]?[id] != nil : homes[partition]?[TabID(id)] != nil
    }

    /// Whether a node's parent, or what is above that, may not hold it.
    private func breaksAbove(
        _ id: NodeID, _ partition: StoragePartition, since before: StoreModel
    ) -> Bool {
        guard let (own, session) = element(id, partition), let parent = own.parent else {
            return false
        }
        guard let (holder, home) = element(parent, partition) else {
            // What damage lost may be named where others name it already.
            let others = before.elements(below: parent, partition)
            return before.element(parent, partition) != nil
                || !others.contains { before.element($0, partition)?.session == session }
        }
        if home != session || !ModelForest.mayHold(holder.node?.kind, own) { return true }
        var above: Set<NodeID> = [id]
        var next: NodeID? = parent
        while let ancestor = next {
            guard above.insert(ancestor).inserted else { return true }
            next = element(ancestor, partition)?.element.parent
        }
        return above.count > SessionForest.maximumDepth + 1
    }

    /// Whether a child of a node that is removed, or goes to another session, stays below it.
    private func leavesChildren(
        _ id: NodeID, _ after: StoreModel, _ touched: TouchedNodes, _ partition: StoragePartition
    ) -> Bool {
        guard let old = element(id, partition)?.session, !touched.removedSessions.contains(old)
        else {
            return false
        }
        let new = after.element(id, partition)?.session
        guard new != old else { return false }
        let children = elements(below: id, partition)
        return children.contains { child in
            guard let left = after.element(child, partition), left.element.parent == id else {
                return false
            }
            // A tab that named a parent which was not there may be in the session already.
            return left.session != new || !touched.put.contains(child)
        }
    }

    /// Returns the nodes and tabs directly below a node, ascending.
    func elements(below id: NodeID, _ partition: StoragePartition) -> [NodeID] {
        let tabs = (homes[partition] ?? [:]).values.filter { $0.tab.parent == id }
        let nodes = (nodes[partition] ?? [:]).values.filter { $0.node.parent == id }
        return (tabs.map { NodeID($0.tab.id) } + nodes.map(\.node.id)).sorted()
    }
}

/// What a set does with nodes and tabs.
private struct TouchedNodes {
    var put: Set<NodeID> = []
    /// Those of `put` that are tabs.
    var tabs: Set<NodeID> = []
    /// What is put or removed from where it is, so that its children may stay behind.
    var leaving: Set<NodeID> = []
    var removedSessions: Set<SessionID> = []
    var concernsForest = false

    init(_ changes: SessionChanges, in model: StoreModel) {
        for change in changes.changes {
            switch change {
            case .put(.tab(let tab, _)):
                put.insert(NodeID(tab.id))
                tabs.insert(NodeID(tab.id))
            case .put(.node(let node, _)): put.insert(node.id)
            case .remove(.tab(let tab), let session):
                let home = model.homes[session.partition]?[tab]
                if home?.session == session { leaving.insert(NodeID(tab)) }
            case .remove(.node(let node), let session):
                let home = model.nodes[session.partition]?[node]
                if home?.session == session { leaving.insert(node) }
            case .remove(.session(let session), _): removedSessions.insert(session)
            case .put(.session), .putState, .removeState: continue
            }
        }
        leaving.formUnion(put)
        concernsForest = !leaving.isEmpty
    }
}
