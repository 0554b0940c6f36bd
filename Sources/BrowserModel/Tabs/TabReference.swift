public import BrowserSessions

/// A tab or its identifier: what the methods of a ``TabList`` take to know which tab is meant.
///
/// A ``Tab`` means itself alone, and not another one that has got its identifier since.
public protocol TabReference {
    /// The tab's identifier.
    var tabID: TabID { get }
    /// Whether that tab is meant.
    func refers(to tab: Tab) -> Bool
}

extension Tab: TabReference {
    public var tabID: TabID { id }
    public func refers(to tab: Tab) -> Bool { self === tab }
}

extension TabID: TabReference {
    public var tabID: TabID { self }
    public func refers(to tab: Tab) -> Bool { self == tab.id }
}

extension TabList {
    /// The tab that is meant; `nil` if it is not in the list.
    func find(_ reference: some TabReference) -> Tab? {
        tab(reference.tabID).flatMap { reference.refers(to: $0) ? $0 : nil }
    }

    func resolve(_ reference: some TabReference) throws(TabListError) -> Tab {
        guard let tab = find(reference) else { throw .unknownTab(reference.tabID) }
        return tab
    }

    func place(of reference: some TabReference) throws(TabListError) -> Int {
        guard let index = index(of: reference) else { throw .unknownTab(reference.tabID) }
        return index
    }

    func places(of references: some Sequence<some TabReference>) throws(TabListError) -> [Int] {
        var places: [Int] = []
        for reference in references { places.append(try place(of: reference)) }
        return places
    }
}
