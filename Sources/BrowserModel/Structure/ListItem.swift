import BrowserSessions

/// A tab or another node of a list, with what is below it.
protocol ListItem: AnyObject {
    var nodeID: NodeID { get }
    /// The tab; `nil` for another node.
    var tab: Tab? { get }
    /// The node with the identifier ``parent``, in a forest, which holds it. Only a ``TabForest`` sets it.
    var above: (any ListItem)? { get set }
    /// How many tabs are below it, at any depth.
    var tabsBelow: Int { get set }
    var parent: NodeID? { get }
    var edge: NodeEdge { get }
    var zone: NodeZone { get }
    var place: OrderKey { get }
    /// The share in a split; 0 for that of the mean.
    var weight: Int32 { get set }
    /// Where it was before what it was in went, unless it was moved since; `nil` if it did not.
    var closedFrom: FormerPlace? { get set }
    /// What the node is; `nil` for a tab.
    var kind: StructureNode.Kind? { get }
    var isGroup: Bool { get }
    /// Whether what is directly in it has zones of its own.
    var hasZones: Bool { get }
    /// Whether its members are hidden.
    var isCollapsed: Bool { get }
    /// Whether its branches are hidden.
    var isFolded: Bool { get }
    /// Returns what is directly below it by an edge, in order. Tabs only have branches.
    func children(_ edge: NodeEdge) -> SiblingItems
    /// Changes what is directly below it by an edge.
    func change(_ edge: NodeEdge, _ work: (inout SiblingItems) -> Void)
    /// Sets its place in its record.
    func setPlace(_ parent: NodeID?, _ edge: NodeEdge, _ zone: NodeZone, _ place: OrderKey)
}

extension ListItem {
    /// The node that is no tab.
    var node: ListNode? { tab == nil ? self as? ListNode : nil }

    /// How many tabs are in it with all that is below it.
    var tabCount: Int { tab == nil ? tabsBelow : 1 + tabsBelow }

    /// Whether nothing is below it.
    var isLeaf: Bool { children(.branch).items.isEmpty && children(.member).items.isEmpty }

    /// The nodes above it, nearest first.
    var ancestors: [any ListItem] {
        var found: [any ListItem] = []
        while let next = found.last?.above ?? (found.isEmpty ? above : nil) { found.append(next) }
        return found
    }

    /// The zone that it is in, with what it is below.
    var wholeZone: NodeZone {
        var top: any ListItem = self
        while let above = top.above, !above.hasZones { top = above }
        return top.zone
    }

    /// The innermost group above it; `nil` if it is in none.
    var groupAbove: ListNode? {
        var next = above
        while let above = next {
            if above.isGroup { return above.node }
            next = above.above
        }
        return nil
    }

    /// The first tab in it with all that is below it; `nil` if there is none.
    var firstTab: Tab? {
        guard tab == nil, tabsBelow > 0 else { return tab }
        return (children(.member).items + children(.branch).items).lazy.compactMap(\.firstTab).first
    }

    /// The last tab in it with all that is below it; `nil` if there is none.
    var lastTab: Tab? {
        guard tabsBelow > 0 else { return tab }
        for edge in [NodeEdge.branch, .member] {
            for child in children(edge).items.reversed() {
                if let last = child.lastTab { return last }
            }
        }
        return tab
    }

    /// Visits it and all below it, depth first.
    func visit(_ visitor: (any ListItem) -> Void) {
        visitor(self)
        if tab == nil { for member in children(.member).items { member.visit(visitor) } }
        for branch in children(.branch).items { branch.visit(visitor) }
    }

    /// Puts it below another node, where it has the mean share. It must not be in a forest meanwhile.
    func put(below parent: NodeID?, _ edge: NodeEdge, _ zone: NodeZone, at place: OrderKey) {
        if self.parent != parent { weight = 0 }
        setPlace(parent, edge, zone, place)
    }

    /// Gives it another order key where it is.
    func put(at place: OrderKey) { setPlace(parent, edge, zone, place) }

    /// Forgets what it is below, and what is below it.
    func leaveForest() {
        above = nil
        guard !isLeaf else { return }
        for edge in [NodeEdge.branch, .member] { change(edge) { $0 = SiblingItems() } }
        tabsBelow = 0
    }
}

/// A node of a list that is no tab, with what is below it.
final class ListNode: ListItem {
    // What is read of each node above a tab comes first: all of it is in one line of the cache.
    unowned var above: (any ListItem)?
    var tabsBelow = 0
    let isGroup: Bool
    let hasZones: Bool
    var members = SiblingItems()
    private var branches = SiblingItems()
    /// What is saved of it, with the node that it is below and its place there. Its kind stays.
    var record: StructureNode

    init(_ record: StructureNode) {
        self.record = record
        isGroup = record.kind == .group
        hasZones = record.kind == .space || record.kind == .view
    }

    var nodeID: NodeID { record.id }
    var tab: Tab? { nil }
    var parent: NodeID? { record.parent }
    var edge: NodeEdge { record.edge }
    var zone: NodeZone { record.zone }
    var place: OrderKey { record.place }
    var weight: Int32 {
        get { record.weight }
        set { record.weight = newValue }
    }
    var closedFrom: FormerPlace? {
        get { record.closedFrom }
        set { record.closedFrom = newValue }
    }
    var kind: StructureNode.Kind? { record.kind }
    var isCollapsed: Bool { record.isCollapsed }
    var isFolded: Bool { record.isFolded }

    func children(_ edge: NodeEdge) -> SiblingItems { edge == .branch ? branches : members }

    func change(_ edge: NodeEdge, _ work: (inout SiblingItems) -> Void) {
        if edge == .branch { work(&branches) } else { work(&members) }
    }

    func setPlace(_ parent: NodeID?, _ edge: NodeEdge, _ zone: NodeZone, _ place: OrderKey) {
        (record.parent, record.edge, record.zone, record.place) = (parent, edge, zone, place)
    }
}

/// The tabs and nodes that are below one node by the same edge: essential ones first, then pinned
/// ones, each in the order of their places, and of their identifiers where places are equal.
struct SiblingItems {
    var items: [any ListItem] = []

    /// - Parameter items: in any order; soonest done for two runs that are each in order.
    init(_ items: [any ListItem] = []) {
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
    private static func endOfRun(_ items: ArraySlice<any ListItem>) -> Int? {
        guard !items.isEmpty else { return nil }
        return items.indices.dropFirst().first { !precede(items[$0 - 1], items[$0]) }
            ?? items.endIndex
    }

    private static func merge(
        _ one: ArraySlice<any ListItem>, _ other: ArraySlice<any ListItem>
    ) -> [any ListItem] {
        var (one, other, merged) = (one, other, [any ListItem]())
        merged.reserveCapacity(one.count + other.count)
        while let left = one.first, let right = other.first {
            merged.append(precede(left, right) ? one.removeFirst() : other.removeFirst())
        }
        return merged + one + other
    }

    /// Returns the index of an item, or where it would be.
    func slot(of item: any ListItem) -> Int {
        // Without structure, siblings at the top have the indexes of the tabs.
        if let tab = item.tab, items.indices.contains(Int(tab.indexHint)),
            items[Int(tab.indexHint)] === item
        {
            return Int(tab.indexHint)
        }
        // Few siblings are compared faster than their order keys, which are elsewhere in memory.
        if items.count <= 64, let index = items.firstIndex(where: { $0 === item }) {
            return index
        }
        return items.slot(behind: { Self.precede($0, item) })
    }

    /// Returns the slot behind all items of a zone that have a place or a lower one.
    func slot(behind place: OrderKey, in zone: NodeZone) -> Int {
        items.slot(behind: {
            Self.precedes($0, zone, place, NodeID(high: .max, low: .max))
        })
    }

    /// Returns the nearest slot that an item of a zone can have.
    func clamp(_ slot: Int, in zone: NodeZone) -> Int {
        let allowed = slots(of: zone)
        return min(max(slot, allowed.lowerBound), allowed.upperBound)
    }

    /// Replaces an item that is there by one with its zone and place.
    mutating func replace(_ item: any ListItem, with other: any ListItem) {
        items[slot(of: item)] = other
    }

    /// Removes an item that is there.
    mutating func remove(_ item: any ListItem) { items.remove(at: slot(of: item)) }

    /// The slots that an item of a zone can have.
    func slots(of zone: NodeZone) -> ClosedRange<Int> {
        // Nearly always, all are in the zone.
        guard let first = items.first, let last = items.last else { return 0...0 }
        if first.zone.rank == zone.rank, last.zone.rank == zone.rank { return 0...items.count }
        let start = items.slot(behind: { $0.zone.rank < zone.rank })
        return start...items[start...].slot(behind: { $0.zone.rank <= zone.rank })
    }

    private static func precede(_ one: any ListItem, _ other: any ListItem) -> Bool {
        precedes(one, other.zone, other.place, other.nodeID)
    }

    private static func precedes(
        _ item: any ListItem, _ zone: NodeZone, _ place: OrderKey, _ id: NodeID
    ) -> Bool {
        let (rank, next) = (item.zone.rank, zone.rank)
        if rank != next { return rank < next }
        let before = item.place
        return before != place ? before < place : item.nodeID < id
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the first index, in a collection that is in order, of what is not before a place.
    func slot(behind isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension NodeEdge {
    /// The edge as lists know it: a newer one counts as that of members.
    var known: NodeEdge { self == .branch ? .branch : .member }
}
