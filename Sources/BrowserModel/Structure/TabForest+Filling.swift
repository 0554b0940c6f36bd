import BrowserSessions

/// A forest that gets all its tabs and nodes at once, as they were saved.
extension TabForest {
    /// Fills the forest, which has nothing. Looks at each tab once: there can be thousands.
    ///
    /// - Parameter coming: tabs, which are in the registry, and nodes, which were added.
    /// - Returns: whether siblings come in the order of their zones and order keys. If not, nothing is here
    ///   but the nodes, without what is below them.
    mutating func fill(_ coming: [ListItem]) -> Bool {
        var (parent, edge, siblings): (NodeID?, NodeEdge, _) = (nil, .member, SiblingItems())
        for item in coming {
            let next = item.parent
            let nextEdge = next == nil ? .member : item.edge.known
            if next != parent || nextEdge != edge {
                set(siblings, below: parent, edge)
                (parent, edge) = (next, nextEdge)
                siblings = takeSiblings(below: parent, edge)
            }
            guard Self.comes(item, behind: siblings.items.last) else {
                clear()
                return false
            }
            siblings.insert(item, at: siblings.items.count)
        }
        set(siblings, below: parent, edge)
        return true
    }

    /// Takes out what is directly below a node. Siblings that are still there would be copied at a change.
    private mutating func takeSiblings(below parent: NodeID?, _ edge: NodeEdge) -> SiblingItems {
        var taken = SiblingItems()
        if let parent, nodes[parent] == nil {
            if let branches = branching.removeValue(forKey: TabID(parent)) {
                taken = branches.branches
            }
        } else {
            change(parent, edge) { swap(&$0, &taken) }
        }
        return taken
    }

    private static func comes(_ item: ListItem, behind other: ListItem?) -> Bool {
        guard let other else { return isBetween(item.place, nil, nil) }
        let (rank, before) = (item.zone.rank, other.zone.rank)
        return rank >= before && isBetween(item.place, rank == before ? other.place : nil, nil)
    }

    private mutating func clear() {
        (roots, branching) = (SiblingItems(), [:])
        for node in nodes.values {
            (node.members, node.branches) = (SiblingItems(), SiblingItems())
        }
    }
}
