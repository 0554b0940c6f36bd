public import BrowserSessions

/// A reference to a node of a list: a tab, a group or another node, or the identifier of one.
public protocol NodeReference {
    /// The identifier of the node.
    var nodeID: NodeID { get }
}

extension NodeReference {
    /// Returns whether this is a reference to the tab, which has the identifier. A tab refers only to itself.
    func refers(to tab: Tab) -> Bool { (self as? Tab ?? tab) === tab }
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
}

extension TabID: TabReference {
    public var tabID: TabID { self }
}
