public import BrowserSessions

/// A reference to a node of a list: a tab, a group or another node, or the identifier of one.
public protocol NodeReference {
    /// The identifier of the node.
    var nodeID: NodeID { get }
    /// Returns whether this is a reference to the tab, which has the identifier.
    func refers(to tab: Tab) -> Bool
}

extension NodeReference {
    /// An identifier refers to each tab that has it.
    public func refers(to tab: Tab) -> Bool { nodeID == NodeID(tab.id) }
}

extension Identifier: NodeReference where Subject: ForestSubject {
    public var nodeID: NodeID { NodeID(high: high, low: low) }
}

extension StructureNode: NodeReference {
    public var nodeID: NodeID { id }
}

/// A reference to a tab: the tab or its identifier. The methods of a ``TabList`` take one.
///
/// A ``Tab`` refers only to itself, and not to a later tab with the same identifier.
public protocol TabReference: NodeReference {
    /// The tab's identifier.
    var tabID: TabID { get }
}

extension Tab: TabReference {
    public var nodeID: NodeID { NodeID(id) }
    public var tabID: TabID { id }
    public func refers(to tab: Tab) -> Bool { self === tab }
}

extension TabID: TabReference {
    public var tabID: TabID { self }
}

extension TabList {
    /// Returns the tab for a reference; `nil` if it is not in the list.
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
