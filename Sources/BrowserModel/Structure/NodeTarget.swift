public import BrowserSessions

/// Where a tab or another node goes in a list.
public struct NodeTarget: Hashable, Sendable {
    /// The position among the children of one node.
    public enum Position: Hashable, Sendable {
        /// Before all others of its zone.
        case first
        /// Behind all others of its zone.
        case last
        /// Directly before a sibling.
        case before(NodeID)
        /// Directly behind a sibling, and what is below that.
        case behind(NodeID)
    }

    /// The node that it comes below; `nil` for the top of the list.
    package var parent: NodeID?
    /// Whether it comes into its parent or branches from it.
    package var edge: NodeEdge
    /// The zone at the top, or directly in a space or view; `nil` for that of its sibling, or else the
    /// normal one.
    package var zone: NodeZone?
    /// Where among its siblings.
    package var position: Position

    private init(_ parent: NodeID?, _ edge: NodeEdge, _ zone: NodeZone?, _ position: Position) {
        (self.parent, self.edge, self.zone, self.position) = (parent, edge, zone, position)
    }

    /// At the top of the list.
    public static func top(_ zone: NodeZone = .normal, _ position: Position = .last) -> Self {
        Self(nil, .member, zone, position)
    }

    /// In a group, split, space or view.
    public static func inside(_ parent: NodeID, _ position: Position = .last) -> Self {
        Self(parent, .member, nil, position)
    }

    /// Below a tab or group that it branches from.
    public static func below(_ parent: NodeID, _ position: Position = .last) -> Self {
        Self(parent, .branch, nil, position)
    }
}
