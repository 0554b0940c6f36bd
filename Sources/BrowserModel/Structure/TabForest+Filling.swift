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
        var above: ListItem?
        for item in coming {
            let next = item.parent
            let nextEdge = next == nil ? .member : item.edge.known
            if next != parent || nextEdge != edge {
                set(siblings, below: above, edge)
                (parent, edge) = (next, nextEdge)
                above = next.flatMap { comingItem($0) }
                siblings = SiblingItems()
                // Siblings that are still there would be copied at a change.
                change(above, edge) { swap(&$0, &siblings) }
            }
            guard Self.comes(item, behind: siblings.items.last) else {
                clear(coming)
                return false
            }
            siblings.insert(item, at: siblings.items.count)
        }
        set(siblings, below: above, edge)
        return true
    }

    private static func comes(_ item: ListItem, behind other: ListItem?) -> Bool {
        guard let other else { return isBetween(item.place, nil, nil) }
        let (rank, before) = (item.zone.rank, other.zone.rank)
        return rank >= before && isBetween(item.place, rank == before ? other.place : nil, nil)
    }

    private mutating func clear(_ coming: [ListItem]) {
        roots = SiblingItems()
        for item in coming { item.leaveForest() }
    }
}
