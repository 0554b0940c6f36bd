import BrowserSessions

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
        // Without structure, siblings at the top have the indexes of the tabs.
        if case .tab(let tab) = item, items.indices.contains(Int(tab.indexHint)),
            items[Int(tab.indexHint)].isSame(item)
        {
            return Int(tab.indexHint)
        }
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

    /// Replaces an item that is there by one with its zone and place.
    mutating func replace(_ item: ListItem, with other: ListItem) { items[slot(of: item)] = other }

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
