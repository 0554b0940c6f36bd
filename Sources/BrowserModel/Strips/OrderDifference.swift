import BrowserSessions

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

        var moving = Self.outOfOrder(kept)
        if let target = kept.first(where: { new[$0] === preferred }), !moving.contains(target) {
            let others = Self.outOfOrder(kept.filter { $0 != target })
            if others.count + 1 == moving.count { moving = others.union([target]) }
        }
        guard !moving.isEmpty else { return }
        var behind = head > 0 ? new[head - 1] : nil
        for target in kept.sorted() {
            if moving.contains(target) { moved.append((new[target], behind)) }
            behind = new[target]
        }
    }

    /// Returns the numbers outside one longest ascending subsequence of distinct numbers.
    private static func outOfOrder(_ numbers: [Int]) -> Set<Int> {
        Set(numbers.indicesOutOfOrder().map { numbers[$0] })
    }
}
