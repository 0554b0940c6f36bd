import BrowserSessions

extension RestoredSession {
    /// Sorts the tabs by their order keys, and those with the same one by their ids.
    ///
    /// A tab is many words with references. So small keys are sorted, and each tab moves once.
    mutating func sortTabs() {
        let order = tabs.withUnsafeBufferPointer { tabs in
            var order = tabs.indices.map { (head: tabs[$0].place.head, number: Int32($0)) }
            order.sort { one, other in
                if one.head != other.head { return one.head < other.head }
                let (left, right) = (Int(one.number), Int(other.number))
                let (place, next) = (tabs[left].place, tabs[right].place)
                return place != next ? place < next : tabs[left].id < tabs[right].id
            }
            return order.map { Int($0.number) }
        }
        tabs.reorder(order)
    }
}
