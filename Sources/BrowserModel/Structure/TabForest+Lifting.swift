import BrowserSessions

/// Nodes that end, and what was below them.
extension TabForest {
    /// What happened while nodes ended, in order.
    enum Step {
        case moved(Relocation)
        /// The node is no longer here; `closedFrom` says where it was.
        case ended(StructureNode)
    }

    /// Takes children of an item out of it: behind it, in their order. What cannot be a pane comes below the
    /// split that the item is a pane of.
    ///
    /// - Parameter isClosing: whether the item is closed, and gets them back if that is undone.
    mutating func lift(
        _ children: [ListItem], outOf item: ListItem, closing isClosing: Bool
    ) -> [Step] {
        let former = children.map { isClosing ? formerPlace(of: $0) : nil }
        guard let split = item.above, split.kind == .split
        else { return takeBehind(item, children, leaving: former) }
        return children.indices.map { slot in
            .moved(
                take(
                    children[slot], below: split, .branch, in: .normal, leaving: former[slot]
                ) { _ in slot })
        }
    }

    /// Takes items directly behind another one, in their order. What is left behind comes before what was
    /// closed behind it.
    private mutating func takeBehind(
        _ item: ListItem, _ items: [ListItem], leaving former: [FormerPlace?]
    ) -> [Step] {
        let isLeftBehind = former.contains { $0 != nil }
        let keys = isLeftBehind ? item.place.keysBehind(count: items.count) : nil
        return items.indices.reversed().map { index in
            let relocation = take(
                items[index], below: item.above, item.edge, in: item.zone,
                leaving: former[index], at: keys?[index]
            ) { forest in forest.siblings(of: item).slot(of: item) + 1 }
            return .moved(relocation)
        }
    }

    /// Ends a node. What is in it takes its place, with what branches from it.
    ///
    /// - Parameter isClosing: whether it ends because what was in it is closed.
    mutating func dissolve(_ node: ListNode, closing isClosing: Bool) -> [Step] {
        let item = ListItem.node(node)
        var steps: [Step] = []
        if node.record.kind == .split, let last = node.members.items.last {
            steps += takeBranches(of: node, to: last, closing: isClosing)
            let panes = node.members.items
            let former = panes.map { isClosing ? formerPlace(of: $0) : nil }
            steps += takeBehind(item, panes, leaving: former)
            if panes.count == 1 { panes[0].weight = node.record.weight }
        } else {
            steps += lift(
                node.members.items + node.branches.items, outOf: item, closing: isClosing)
        }
        return steps + [end(node)]
    }

    /// Ends nodes that have too little in them, from one upward: a group without members and without a style,
    /// and a split with less than two panes.
    mutating func endIfEmpty(_ id: NodeID?, closing isClosing: Bool = false) -> [Step] {
        var steps: [Step] = []
        var next = id
        while let id = next, let node = nodes[id] {
            let isDone =
                switch node.record.kind {
                case .split: node.members.items.count < 2
                case .group: node.record.isPlainGroup && node.members.items.isEmpty
                default: false
                }
            guard isDone else { return steps }
            next = node.record.parent
            steps += dissolve(node, closing: isClosing)
        }
        return steps
    }

    /// Takes a node out that has nothing below it.
    mutating func end(_ node: ListNode) -> Step {
        var record = node.record
        record.closedFrom = formerPlace(of: .node(node))
        _ = remove(ListItem.node(node))
        forget(node)
        return .ended(record)
    }

    private mutating func takeBranches(
        of node: ListNode, to pane: ListItem, closing isClosing: Bool
    ) -> [Step] {
        node.branches.items.map { branch in
            let former = isClosing ? formerPlace(of: branch) : nil
            return .moved(
                take(branch, below: pane, .branch, in: .normal, leaving: former) { _ in
                    pane.children(.branch).items.count
                })
        }
    }
}
