public import BrowserSessions

/// A reference to a node of a list: a tab, a group or another node, or the identifier of one.
public protocol NodeReference {
    /// The identifier of the node.
    var nodeID: NodeID { get }
}

extension Identifier: NodeReference where Subject: ForestSubject {
    public var nodeID: NodeID { NodeID(high: high, low: low) }
}

extension StructureNode: NodeReference {
    public var nodeID: NodeID { id }
}
