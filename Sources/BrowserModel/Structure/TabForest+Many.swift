import BrowserSessions

/// Many tabs and nodes that come or go at once.
extension TabForest {
    /// The hint of a tab that is being removed together with others.
    private static let isLeaving: Int32 = -1

    /// Removes tabs without branches, in time that depends only on the list's length.
    mutating func remove(_ leaving: [Tab]) {
        guard leaving.count > 1 else {
            for tab in leaving { remove(tab, from: range(of: tab)) }
            return
        }
        for tab in leaving { count(-1, above: tab) }
        for tab in leaving { tab.indexHint = Self.isLeaving }
        // One of each group of siblings.
        let some = Dictionary(leaving.map { (Edge(above: $0), $0) }) { first, _ in first }
        for tab in some.values {
            change(tab.above, tab.edge) { siblings in
                siblings.items.removeAll { $0.tab?.indexHint == Self.isLeaving }
            }
        }
        for tab in leaving { tab.above = nil }
        tabs.removeAll { $0.indexHint == Self.isLeaving }
        renewHints()
    }

    /// Removes everything. The tabs stay known.
    mutating func removeAll() {
        for tab in tabs {
            tab.forgetChildren()
            tab.leaveForest()
        }
        for node in nodes.values {
            node.leaveForest()
            known.remove(node.record.id)
        }
        (tabs, roots, nodes, pinnedCount) = ([], SiblingItems(), [:], 0)
    }

    /// What changed while tabs and nodes came in, apart from these.
    struct Corrections {
        /// The indexes of the tabs with another opener or order key, ascending.
        var tabs: [Int] = []
        /// The nodes with another order key.
        var nodes: [NodeID] = []
        /// Whether siblings got new order keys because none was left.
        var isRenumbered = false
    }

    /// What siblings have in common.
    private struct Edge: Hashable {
        var parent: NodeID?
        var edge = NodeEdge.member

        init(above item: any ListItem) {
            guard let parent = item.parent else { return }
            (self.parent, edge) = (parent, item.edge.known)
        }
    }

    /// Adds tabs and nodes to those that are here. Among children of one node they come last in their zone;
    /// at the top they can come first. They keep their order, and change order keys only where they must.
    ///
    /// - Parameters:
    ///   - coming: the tabs, which are known, and nodes, with parents that come or are here.
    ///   - isSorted: whether they are in order, rather than their order keys.
    ///   - isFront: whether those at the top come before the ones that are here.
    ///   - keeps: whether an item keeps its order key if it can; the others get new ones first.
    mutating func merge(
        _ coming: [any ListItem], sorted isSorted: Bool, atFront isFront: Bool,
        keeping keeps: (NodeID) -> Bool
    ) -> Corrections {
        for tab in tabs { tab.forgetChildren() }
        for item in coming { if let node = item.node { add(node) } }
        if tabs.isEmpty, roots.items.isEmpty, !isSorted, fill(coming) {
            order()
            return Corrections(tabs: noteOpeners())
        }
        let added = Dictionary(grouping: coming) { Edge(above: $0) }
        var (tabs, corrections): (Set<ObjectIdentifier>, Corrections) = ([], Corrections())
        for (edge, new) in added {
            let parent = edge.parent.flatMap { comingItem($0) }
            let old = children(of: parent, edge.edge).items
            let new = isSorted ? new : SiblingItems(new).items
            let joined = Self.join(old, new, atFront: isFront && edge.parent == nil)
            let fitted = Self.fitPlaces(of: joined, keeping: keeps)
            corrections.isRenumbered = corrections.isRenumbered || fitted.isRenumbered
            for item in fitted.moved {
                if let tab = item.tab {
                    tabs.insert(ObjectIdentifier(tab))
                } else {
                    corrections.nodes.append(item.nodeID)
                }
            }
            set(SiblingItems(joined), below: parent, edge.edge)
        }
        order()
        corrections.tabs = noteOpeners()
        if !tabs.isEmpty {
            let moved = self.tabs.indices.filter { tabs.contains(ObjectIdentifier(self.tabs[$0])) }
            corrections.tabs = Set(corrections.tabs).union(moved).sorted()
        }
        corrections.nodes.sort()
        return corrections
    }

    /// Fills the forest, which has nothing but the nodes, with all that was saved. Looks at each tab once: there
    /// can be thousands.
    ///
    /// - Returns: whether siblings come in the order of their zones and order keys. If not, nothing is here
    ///   but the nodes, without what is below them.
    private mutating func fill(_ coming: [any ListItem]) -> Bool {
        var (parent, edge, siblings): (NodeID?, NodeEdge, _) = (nil, .member, SiblingItems())
        var above: (any ListItem)?
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
                roots = SiblingItems()
                for item in coming { item.leaveForest() }
                return false
            }
            siblings.items.append(item)
        }
        set(siblings, below: above, edge)
        return true
    }

    private static func comes(_ item: any ListItem, behind other: (any ListItem)?) -> Bool {
        guard let other else { return isBetween(item.place, nil, nil) }
        let (rank, before) = (item.zone.rank, other.zone.rank)
        return rank >= before && isBetween(item.place, rank == before ? other.place : nil, nil)
    }

    /// Returns a node, or a tab that comes and is not among the tabs yet.
    private func comingItem(_ id: NodeID) -> (any ListItem)? { nodes[id] ?? known.tab(TabID(id)) }

    /// Sets what is directly below an item. The order of tabs is wrong until ``order()``.
    mutating func set(_ siblings: SiblingItems, below parent: (any ListItem)?, _ edge: NodeEdge) {
        if let parent { for item in siblings.items { item.above = parent } }
        change(parent, edge) { $0 = siblings }
    }

    /// Puts the tabs in order, depth first, and counts them.
    private mutating func order() {
        var ordered: [Tab] = []
        pinnedCount = 0
        ordered.reserveCapacity(roots.items.count)
        for item in roots.items {
            Self.append(item, to: &ordered)
            if item.zone.rank < NodeZone.normal.rank { pinnedCount = ordered.count }
        }
        tabs = ordered
        renewHints()
    }

    private static func append(_ item: any ListItem, to tabs: inout [Tab]) {
        if let tab = item.tab { tabs.append(tab) }
        let before = tabs.count
        if item.tab == nil {
            for member in item.children(.member).items { append(member, to: &tabs) }
        }
        for branch in item.children(.branch).items { append(branch, to: &tabs) }
        item.tabsBelow = tabs.count - before
    }

    /// Joins siblings, each in order, zone by zone.
    private static func join(
        _ old: [any ListItem], _ new: [any ListItem], atFront: Bool
    ) -> [any ListItem] {
        let items = atFront ? new + old : old + new
        if items.indices.dropFirst().allSatisfy({
            items[$0 - 1].zone.rank <= items[$0].zone.rank
        }) {
            return items
        }
        return items.enumerated().sorted {
            ($0.element.zone.rank, $0.offset) < ($1.element.zone.rank, $1.offset)
        }.map(\.element)
    }

    /// Makes the order keys of siblings ascend in each zone. Those to keep change only where they must.
    ///
    /// - Returns: the siblings with another key, and whether all got new ones.
    private static func fitPlaces(
        of siblings: [any ListItem], keeping keeps: (NodeID) -> Bool
    ) -> (moved: [any ListItem], isRenumbered: Bool) {
        // The sibling before each one in its zone.
        let previous = siblings.indices.map { index -> (any ListItem)? in
            guard index > 0, siblings[index - 1].zone == siblings[index].zone else { return nil }
            return siblings[index - 1]
        }
        let isFit = zip(siblings, previous).allSatisfy { isBetween($0.place, $1?.place, nil) }
        if isFit { return ([], false) }
        let before = siblings.map(\.place)
        // For each sibling the key that the next one in its zone has that keeps its own.
        var later = [OrderKey?](repeating: nil, count: siblings.count)
        for index in siblings.indices.dropLast().reversed() where previous[index + 1] != nil {
            let next = siblings[index + 1]
            later[index] = keeps(next.nodeID) ? next.place : later[index + 1]
        }
        var isRenumbered = false
        for (index, item) in siblings.enumerated() {
            let (previous, later) = (previous[index]?.place, later[index])
            if isBetween(item.place, previous, keeps(item.nodeID) ? nil : later) { continue }
            let place = OrderKey.between(previous, and: later)
            isRenumbered = place.length > longestPlace || !isBetween(place, previous, later)
            if isRenumbered { break }
            item.put(at: place)
        }
        if isRenumbered {
            for (item, place) in zip(siblings, OrderKey.evenlySpaced(count: siblings.count)) {
                item.put(at: place)
            }
        }
        return (zip(siblings, before).filter { $0.place != $1 }.map(\.0), isRenumbered)
    }
}
