/// The steps that turn one order of tabs into another: the removals, then the moves, then the
/// insertions, each in the order given here. Moves as few tabs as possible.
struct OrderDifference {
    /// Indexes in the old order, descending.
    private(set) var removed: [Int] = []
    /// Tabs to move directly after another tab that is already in position, or to the front.
    private(set) var moved: [(tab: Tab, behind: Tab?)] = []
    /// Indexes in the new order, ascending.
    private(set) var inserted: [Int] = []

    /// The number of steps.
    var count: Int { removed.count + moved.count + inserted.count }

    /// Computes the steps in time that grows little faster than the part that differs. A tab that
    /// occurs twice counts once.
    ///
    /// - Parameter preferred: the tab to move if either of two could, such as swapped neighbors.
    init(from old: [Tab], to new: [Tab], moving preferred: Tab? = nil) {
        let shorter = min(old.count, new.count)
        var (head, tail) = (0, 0)
        while head < shorter, old[head] === new[head] { head += 1 }
        while tail < shorter - head, old[old.count - 1 - tail] === new[new.count - 1 - tail] {
            tail += 1
        }
        let (before, after) = (head..<old.count - tail, head..<new.count - tail)
        guard !before.isEmpty || !after.isEmpty else { return }

        var targets = Dictionary(
            after.map { (ObjectIdentifier(new[$0]), $0) }, uniquingKeysWith: { first, _ in first })
        // The targets of the remaining tabs, in their old order.
        var kept: [Int] = []
        for index in before {
            if let target = targets.removeValue(forKey: ObjectIdentifier(old[index])) {
                kept.append(target)
            } else {
                removed.append(index)
            }
        }
        removed.reverse()
        inserted = targets.values.sorted()

        var unmoved = Set(Self.longestAscent(in: kept))
        if let target = kept.first(where: { new[$0] === preferred }), unmoved.contains(target) {
            let others = Self.longestAscent(in: kept.filter { $0 != target })
            if others.count == unmoved.count { unmoved = Set(others) }
        }
        guard unmoved.count < kept.count else { return }
        var behind = head > 0 ? new[head - 1] : nil
        for target in kept.sorted() {
            if !unmoved.contains(target) { moved.append((new[target], behind)) }
            behind = new[target]
        }
    }

    /// Returns the longest ascending subsequence of distinct numbers.
    private static func longestAscent(in numbers: [Int]) -> [Int] {
        /// For each length, the index of the smallest number that ends an ascent of that length.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        return Array(
            sequence(state: ends.last) { next -> Int? in
                guard let index = next else { return nil }
                next = previous[index]
                return numbers[index]
            })
    }
}
