/// The tabs in order, indexed from 0. As with an array, an index that is out of bounds stops the
/// program.
extension TabList: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { order.tabs.count }
    public subscript(index: Int) -> Tab { order.tabs[index] }

    /// Iterates over the tabs that are in the list now. The list can change during the iteration.
    public func makeIterator() -> IndexingIterator<[Tab]> { order.tabs.makeIterator() }
}
