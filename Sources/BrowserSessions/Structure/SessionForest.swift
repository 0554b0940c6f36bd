/// The nodes of a session in their order, depth first: each node, then its members, then its branches.
///
/// ```swift
/// for row in session.forest.rows {
///     switch row.content {
///     case .tab(let tab): sidebar.add(tab.title, indentedBy: row.depth)
///     case .node(let node): sidebar.add(node.name, indentedBy: row.depth)
///     }
/// }
/// ```
public struct SessionForest: Hashable, Sendable {
    /// A tab or another node.
    public enum Content: Hashable, Sendable {
        /// A tab.
        case tab(TabMetadata)
        /// A group, split, space, view or container.
        case node(StructureNode)
    }

    /// A node with its depth.
    public struct Row: Hashable, Sendable, Identifiable {
        /// The tab or node.
        public var content: Content
        /// The number of nodes above it.
        public var depth: Int

        /// The identifier of the tab or node.
        public var id: NodeID {
            switch content {
            case .tab(let tab): NodeID(tab.id)
            case .node(let node): node.id
            }
        }
    }

    /// All nodes in their order; `[]` for a session without any.
    public let rows: [Row]

    /// The deepest level that a session may have; what is deeper is lifted on restore.
    package static let maximumDepth = ForestRepair.maximumDepth

    /// Orders nodes as a restore does: what breaks a rule is where a restore would put it.
    ///
    /// - Parameters:
    ///   - tabs: the tabs of a session.
    ///   - nodes: its other nodes.
    ///   - kind: the kind of the session; one that is kept for later may have parts of nodes.
    public init(tabs: [TabMetadata], nodes: [StructureNode], kind: SessionKind = .regular) {
        var repair = ForestRepair(tabs: tabs, nodes: nodes, hasParts: kind.role == .shelf)
        rows = repair.run().map { element, depth in
            Row(content: repair.content(of: element), depth: depth)
        }
    }
}

extension ForestRepair {
    func content(of element: Int) -> SessionForest.Content {
        element < elements.tabs.count
            ? .tab(elements.tabs[element]) : .node(elements.nodes[element - elements.tabs.count])
    }
}
