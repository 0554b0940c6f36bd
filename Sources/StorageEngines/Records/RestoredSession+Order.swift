import BrowserSessions

extension RestoredSession {
    /// Sorts the tabs by their order keys, and those with the same one by their ids.
    ///
    /// A tab is many words with references. So small keys are sorted, and each tab moves once.
    mutating func sortTabs() {
        tabs.withUnsafeMutableBufferPointer { tabs in
            guard let first = tabs.baseAddress else { return }
            var order = tabs.indices.map { (head: first[$0].place.head, number: Int32($0)) }
            order.sort { one, other in
                if one.head != other.head { return one.head < other.head }
                let (left, right) = (Int(one.number), Int(other.number))
                let (place, next) = (first[left].place, first[right].place)
                return place != next ? place < next : first[left].id < first[right].id
            }
            Self.move(first, order.map { Int($0.number) })
        }
    }

    /// Moves tabs so that each number of the order has the tab that had the number there.
    private static func move(_ tabs: UnsafeMutablePointer<TabMetadata>, _ order: [Int]) {
        var order = order
        for start in order.indices where order[start] != start {
            let displaced = (tabs + start).move()
            var free = start
            while order[free] != start {
                let next = order[free]
                (tabs + free).moveInitialize(from: tabs + next, count: 1)
                order[free] = free
                free = next
            }
            (tabs + free).initialize(to: displaced)
            order[free] = free
        }
    }
}
