import BrowserSessions

/// Many tabs and nodes that come at once.
extension TabForest {
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
    struct Edge: Hashable {
        var parent: NodeID?
        var edge = NodeEdge.member

        init(above item: ListItem) {
            guard let parent = item.parent else { return }
            (self.parent, edge) = (parent, item.edge.known)
        }
    }

    /// Adds tabs and nodes to those that are here. Among children of one node they come last in their zone;
    /// at the top they can come first. They keep their order, and change order keys only where they must.
    ///
    /// - Parameters:
    ///   - coming: the tabs, which are in the registry, and nodes, with parents that come or are here.
    ///   - isSorted: whether they are in order, rather than their order keys.
    ///   - isFront: whether those at the top come before the ones that are here.
    ///   - keeps: whether an item keeps its order key if it can; the others get new ones first.
    mutating func merge(
        _ coming: [ListItem], sorted isSorted: Bool, atFront isFront: Bool,
        keeping keeps: (NodeID) -> Bool
    ) -> Corrections {
        for tab in tabs { tab.forgetChildren() }
        for case .node(let node) in coming { add(node) }
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
            corrections.nodes += fitted.nodes
            tabs.formUnion(fitted.tabs)
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

    /// Joins siblings, each in order, zone by zone.
    private static func join(_ old: [ListItem], _ new: [ListItem], atFront: Bool) -> [ListItem] {
        if old.isEmpty, areInZones(new) { return new }
        let items = atFront ? new + old : old + new
        if areInZones(items) { return items }
        return items.enumerated().sorted {
            ($0.element.zone.rank, $0.offset) < ($1.element.zone.rank, $1.offset)
        }.map(\.element)
    }

    private static func areInZones(_ items: [ListItem]) -> Bool {
        items.indices.dropFirst().allSatisfy { items[$0 - 1].zone.rank <= items[$0].zone.rank }
    }

    /// Makes the order keys of siblings ascend in each zone. Those to keep change only where they must.
    private static func fitPlaces(
        of siblings: [ListItem], keeping keeps: (NodeID) -> Bool
    ) -> (tabs: [ObjectIdentifier], nodes: [NodeID], isRenumbered: Bool) {
        if haveAscendingPlaces(siblings) { return ([], [], false) }
        let before = siblings.map(\.place)
        let following = places(following: siblings, keeping: keeps)
        var isRenumbered = false
        var previous: OrderKey?
        for (index, item) in siblings.enumerated() {
            if index > 0, siblings[index - 1].zone != item.zone { previous = nil }
            let isLast = index + 1 == siblings.count || siblings[index + 1].zone != item.zone
            let later = isLast ? nil : following[index + 1]
            if !isBetween(item.place, previous, keeps(item.id) ? nil : later) {
                let place = OrderKey.between(previous, and: later)
                guard place.length <= longestPlace, isBetween(place, previous, later) else {
                    isRenumbered = true
                    break
                }
                item.put(below: item.parent, item.edge, item.zone, at: place)
            }
            previous = item.place
        }
        if isRenumbered {
            for (item, place) in zip(siblings, OrderKey.evenlySpaced(count: siblings.count)) {
                item.put(below: item.parent, item.edge, item.zone, at: place)
            }
        }
        let moved = zip(siblings, before).filter { $0.place != $1 }.map(\.0)
        return (
            moved.compactMap { if case .tab(let tab) = $0 { ObjectIdentifier(tab) } else { nil } },
            moved.compactMap { if case .node(let node) = $0 { node.record.id } else { nil } },
            isRenumbered
        )
    }

    /// Returns for each sibling the key that it keeps, or that of the next one in its zone that keeps its own.
    private static func places(
        following siblings: [ListItem], keeping keeps: (NodeID) -> Bool
    ) -> [OrderKey?] {
        var following = [OrderKey?](repeating: nil, count: siblings.count + 1)
        for index in siblings.indices.reversed() {
            let isLast =
                index + 1 == siblings.count || siblings[index + 1].zone != siblings[index].zone
            following[index] =
                keeps(siblings[index].id)
                ? siblings[index].place : isLast ? nil : following[index + 1]
        }
        return following
    }

    private static func haveAscendingPlaces(_ siblings: [ListItem]) -> Bool {
        siblings.indices.allSatisfy { index in
            let isFirst = index == 0 || siblings[index - 1].zone != siblings[index].zone
            return isBetween(siblings[index].place, isFirst ? nil : siblings[index - 1].place, nil)
        }
    }
}

extension NodeEdge {
    /// The edge as lists know it: a newer one counts as that of members.
    var known: NodeEdge { self == .branch ? .branch : .member }
}
