import BrowserSessions

/// Nodes that end, and what was below them.
extension TabForest {
    /// What happened while nodes ended, in order.
    enum Step {
        case moved(Relocation)
        /// The node is no longer here.
        case ended(NodeID)
    }

    /// Takes children of an item out of it: behind it, in their order. What cannot be a pane comes below the
    /// split that the item is a pane of.
    mutating func lift(_ children: [ListItem], outOf item: ListItem) -> [Step] {
        var steps: [Step] = []
        if let parent = item.parent, let split = nodes[parent], split.record.kind == .split {
            for (slot, child) in children.enumerated() {
                let relocation = take(child, below: parent, .branch, in: .normal) { _ in slot }
                steps.append(.moved(relocation))
            }
            return steps
        }
        for child in children.reversed() {
            let relocation = take(child, below: item.parent, item.edge, in: item.zone) { forest in
                forest.children(of: item.parent, item.edge).slot(of: item) + 1
            }
            steps.append(.moved(relocation))
        }
        return steps
    }

    /// Ends a node. What is in it takes its place, with what branches from it.
    mutating func dissolve(_ node: ListNode) -> [Step] {
        let item = ListItem.node(node)
        var steps: [Step] = []
        if node.record.kind == .split, let last = node.members.items.last {
            steps += takeBranches(of: node, to: last)
            let (panes, parent) = (node.members.items, node.record.parent)
            for pane in panes.reversed() {
                let relocation = take(pane, below: parent, item.edge, in: item.zone) { forest in
                    forest.children(of: parent, item.edge).slot(of: item) + 1
                }
                steps.append(.moved(relocation))
            }
            if panes.count == 1 { panes[0].weight = node.record.weight }
        } else {
            steps += lift(node.members.items + node.branches.items, outOf: item)
        }
        return steps + [end(node)]
    }

    /// Ends nodes that have too little in them, from one upward: a group without members and without a style,
    /// and a split with less than two panes.
    mutating func endIfEmpty(_ id: NodeID?) -> [Step] {
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
            steps += dissolve(node)
        }
        return steps
    }

    /// Takes a node out that has nothing below it.
    mutating func end(_ node: ListNode) -> Step {
        _ = remove(ListItem.node(node))
        forget(node)
        return .ended(node.record.id)
    }

    private mutating func takeBranches(of node: ListNode, to pane: ListItem) -> [Step] {
        node.branches.items.map { branch in
            .moved(
                take(branch, below: pane.id, .branch, in: .normal) { forest in
                    forest.children(of: pane.id, .branch).items.count
                })
        }
    }
}
