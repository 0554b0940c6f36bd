import BrowserSessions

extension RestoredSession {
    /// Sorts the tabs by their order keys, and those with the same one by their ids.
    ///
    /// A tab is many words with references. So numbers are sorted, and each tab moves once.
    mutating func sortTabs() {
        let order = tabs.withUnsafeBufferPointer { tabs in
            let heads = tabs.indices.map { tabs[$0].place.head }
            func precedes(_ one: Int, _ other: Int) -> Bool {
                if heads[one] != heads[other] { return heads[one] < heads[other] }
                let (place, next) = (tabs[one].place, tabs[other].place)
                return place != next ? place < next : tabs[one].id < tabs[other].id
            }
            guard var order = Self.buckets(of: heads) else {
                return tabs.indices.sorted(by: precedes)
            }
            // Few are far from where they belong.
            for end in order.indices.dropFirst() {
                let number = order[end]
                var slot = end
                while slot > 0, precedes(number, order[slot - 1]) {
                    order[slot] = order[slot - 1]
                    slot -= 1
                }
                order[slot] = number
            }
            return order
        }
        tabs.reorder(order)
    }

    /// The most tabs in one bucket: those in it are compared with each other.
    private static let mostInBucket = 24

    /// Returns the numbers of keys in as many ranges as there are keys, each above the one before; `nil` if
    /// too many are in one of them, as with keys that grew in one place.
    private static func buckets(of heads: [UInt64]) -> [Int]? {
        guard let least = heads.min(), let greatest = heads.max(), least < greatest else {
            return nil
        }
        let width = (greatest - least) / UInt64(heads.count) + 1
        var ends = [Int](repeating: 0, count: heads.count + 1)
        for head in heads {
            let bucket = Int((head - least) / width)
            ends[bucket] += 1
            if ends[bucket] > mostInBucket { return nil }
        }
        var sum = 0
        for bucket in ends.indices { (ends[bucket], sum) = (sum, sum + ends[bucket]) }
        var order = [Int](repeating: 0, count: heads.count)
        for (number, head) in heads.enumerated() {
            let bucket = Int((head - least) / width)
            order[ends[bucket]] = number
            ends[bucket] += 1
        }
        return order
    }
}
