import BrowserSessions

/// A node of a list that is no tab, with what is below it.
final class ListNode {
    /// What is saved of it, with the node that it is below and its place there.
    var record: StructureNode
    /// What is inside it, in order.
    var members = SiblingItems()
    /// What branches from it, in order.
    var branches = SiblingItems()
    /// How many tabs are below it, at any depth.
    var tabCount = 0

    init(_ record: StructureNode) { self.record = record }
}

/// A tab or another node of a list.
enum ListItem {
    case tab(Tab)
    case node(ListNode)

    var id: NodeID {
        switch self {
        case .tab(let tab): NodeID(tab.id)
        case .node(let node): node.record.id
        }
    }

    var parent: NodeID? {
        switch self {
        case .tab(let tab): tab.metadata.parent
        case .node(let node): node.record.parent
        }
    }

    var edge: NodeEdge {
        switch self {
        case .tab(let tab): tab.metadata.edge
        case .node(let node): node.record.edge
        }
    }

    var zone: NodeZone {
        switch self {
        case .tab(let tab): tab.metadata.zone
        case .node(let node): node.record.zone
        }
    }

    var place: OrderKey {
        switch self {
        case .tab(let tab): tab.metadata.place
        case .node(let node): node.record.place
        }
    }

    /// What the node is; `nil` for a tab.
    var kind: StructureNode.Kind? {
        switch self {
        case .tab: nil
        case .node(let node): node.record.kind
        }
    }

    /// The share in a split; 0 for that of the mean.
    var weight: Int32 {
        get {
            switch self {
            case .tab(let tab): tab.metadata.weight
            case .node(let node): node.record.weight
            }
        }
        nonmutating set {
            guard newValue != weight else { return }
            switch self {
            case .tab(let tab): tab.metadata.weight = newValue
            case .node(let node): node.record.weight = newValue
            }
        }
    }

    /// Where it was before what it was in went, unless it was moved since; `nil` if it did not.
    var closedFrom: FormerPlace? {
        get {
            switch self {
            case .tab(let tab): tab.metadata.closedFrom
            case .node(let node): node.record.closedFrom
            }
        }
        nonmutating set {
            guard newValue != closedFrom else { return }
            switch self {
            case .tab(let tab): tab.metadata.closedFrom = newValue
            case .node(let node): node.record.closedFrom = newValue
            }
        }
    }

    /// Whether its members are hidden.
    var isCollapsed: Bool {
        switch self {
        case .tab: false
        case .node(let node): node.record.isCollapsed
        }
    }

    /// Whether its branches are hidden.
    var isFolded: Bool {
        switch self {
        case .tab(let tab): tab.metadata.isFolded
        case .node(let node): node.record.isFolded
        }
    }

    /// Whether it is the same object.
    func isSame(_ other: ListItem) -> Bool {
        switch (self, other) {
        case (.tab(let one), .tab(let other)): one === other
        case (.node(let one), .node(let other)): one === other
        default: false
        }
    }

    /// Whether what is directly in it has zones of its own.
    var hasZones: Bool { kind == .space || kind == .view }

    /// Puts it below another node, where it has the mean share. It must not be in a forest meanwhile.
    func put(below parent: NodeID?, _ edge: NodeEdge, _ zone: NodeZone, at place: OrderKey) {
        if self.parent != parent { weight = 0 }
        switch self {
        case .tab(let tab):
            (tab.metadata.parent, tab.metadata.edge) = (parent, edge)
            (tab.metadata.zone, tab.metadata.place) = (zone, place)
        case .node(let node):
            (node.record.parent, node.record.edge) = (parent, edge)
            (node.record.zone, node.record.place) = (zone, place)
        }
    }
}

/// The tabs and nodes that are below one node by the same edge: essential ones first, then pinned
/// ones, each in the order of their places, and of their identifiers where places are equal.
struct SiblingItems {
    private(set) var items: [ListItem] = []

    /// - Parameter items: in any order; soonest done for two runs that are each in order.
    init(_ items: [ListItem] = []) {
        guard let end = Self.endOfRun(items[...]), end < items.count else {
            self.items = items
            return
        }
        let rest = items[end...]
        if Self.endOfRun(rest) == items.count {
            self.items = Self.merge(items[..<end], rest)
        } else {
            self.items = items.sorted(by: Self.precede)
        }
    }

    /// Returns the index where items stop to be in order; `nil` if there are none.
    private static func endOfRun(_ items: ArraySlice<ListItem>) -> Int? {
        guard !items.isEmpty else { return nil }
        return items.indices.dropFirst().first { !precede(items[$0 - 1], items[$0]) }
            ?? items.endIndex
    }

    private static func merge(
        _ one: ArraySlice<ListItem>, _ other: ArraySlice<ListItem>
    ) -> [ListItem] {
        var (one, other, merged) = (one, other, [ListItem]())
        merged.reserveCapacity(one.count + other.count)
        while let left = one.first, let right = other.first {
            if precede(left, right) {
                merged.append(left)
                one.removeFirst()
            } else {
                merged.append(right)
                other.removeFirst()
            }
        }
        return merged + one + other
    }

    /// Returns the index of an item, or where it would be.
    func slot(of item: ListItem) -> Int {
        // Few siblings are compared faster than their order keys, which are elsewhere in memory.
        if items.count <= 64, let index = items.firstIndex(where: { $0.isSame(item) }) {
            return index
        }
        return slot(in: item.zone, at: item.place, item.id)
    }

    /// Returns the index of the item with an identifier in a zone and at a place, or where it would be.
    func slot(in zone: NodeZone, at place: OrderKey, _ id: NodeID) -> Int {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(items[middle], zone, place, id) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Returns the slot behind all items of a zone that have a place or a lower one.
    func slot(behind place: OrderKey, in zone: NodeZone) -> Int {
        slot(in: zone, at: place, NodeID(high: .max, low: .max))
    }

    /// Returns the nearest slot that an item of a zone can have.
    func clamp(_ slot: Int, in zone: NodeZone) -> Int {
        let allowed = slots(of: zone)
        return min(max(slot, allowed.lowerBound), allowed.upperBound)
    }

    mutating func insert(_ item: ListItem, at slot: Int) { items.insert(item, at: slot) }

    /// Removes an item that is there.
    mutating func remove(_ item: ListItem) { items.remove(at: slot(of: item)) }

    mutating func removeAll(where isLeaving: (ListItem) -> Bool) {
        items.removeAll(where: isLeaving)
    }

    /// The slots that an item of a zone can have.
    func slots(of zone: NodeZone) -> ClosedRange<Int> {
        // Nearly always, all are in the zone.
        guard let first = items.first, let last = items.last else { return 0...0 }
        if first.zone.rank == zone.rank, last.zone.rank == zone.rank { return 0...items.count }
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if items[middle].zone.rank < zone.rank { low = middle + 1 } else { high = middle }
        }
        let start = low
        high = items.count
        while low < high {
            let middle = (low + high) / 2
            if items[middle].zone.rank <= zone.rank { low = middle + 1 } else { high = middle }
        }
        return start...low
    }

    private static func precede(_ one: ListItem, _ other: ListItem) -> Bool {
        precedes(one, other.zone, other.place, other.id)
    }

    private static func precedes(
        _ item: ListItem, _ zone: NodeZone, _ place: OrderKey, _ id: NodeID
    ) -> Bool {
        let (rank, next) = (item.zone.rank, zone.rank)
        if rank != next { return rank < next }
        let before = item.place
        return before != place ? before < place : item.id < id
    }
}
