/// The tabs in order, by indexes from 0. An index out of bounds stops the program, as an array's
/// does.
extension TabList: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { order.tabs.count }
    public subscript(index: Int) -> Tab { order.tabs[index] }

    /// Goes over the tabs that are there now: the list may be changed meanwhile.
    public func makeIterator() -> IndexingIterator<[Tab]> { order.tabs.makeIterator() }
}
