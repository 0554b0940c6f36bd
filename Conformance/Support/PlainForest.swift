import BrowserSessions

/// Ordinary nodes, and tabs below them.
extension Plain {
    /// The identifier of the node of a number.
    static func id(_ node: Int) -> NodeID { NodeID(high: 0x0DE5, low: UInt64(node)) }

    /// The identifier of the tab of a number, as that of a parent.
    static func id(ofTab tab: Int) -> NodeID { NodeID(Plain.tab(tab).id) }

    /// Returns a node; the places of the first thousand numbers ascend. Groups are folders, which stay
    /// when they have no members.
    static func node(
        _ number: Int, _ kind: StructureNode.Kind = .group, at place: Int,
        in parent: NodeID? = nil, edge: NodeEdge = .member, zone: NodeZone = .normal
    ) -> StructureNode {
        var node = StructureNode(
            id: id(number), kind, place: tab(place).place, parent: parent, edge: edge,
            name: "Node \(number)")
        node.style = kind == .group ? "folder" : ""
        node.zone = zone
        return node
    }

    /// Returns a tab below a node.
    static func tab(
        _ number: Int, at place: Int, in parent: NodeID?, edge: NodeEdge = .member,
        zone: NodeZone = .normal
    ) -> TabMetadata {
        var tab = tab(number)
        tab.place = Plain.tab(place).place
        (tab.parent, tab.edge, tab.zone) = (parent, edge, zone)
        return tab
    }
}

/// A session with all kinds of nodes, in which order and depth are those of ``outline``.
enum PlainForest {
    static let outline = [
        "n1", " t1", " n2", "  t2", " n3", "  t3", "  t4", "t5", " t6", "  t7", "n4", " t9", " t8",
        "n5", "n6",
    ]

    /// Returns the session: tabs and nodes in their order.
    static func session(_ kind: SessionKind = .regular) -> ExpectedSession {
        let tabs = [
            Plain.tab(1, at: 0, in: Plain.id(1)), Plain.tab(2, at: 0, in: Plain.id(2)),
            Plain.tab(3, at: 0, in: Plain.id(3)), Plain.tab(4, at: 1, in: Plain.id(3)),
            Plain.tab(5, at: 9, in: nil),
            Plain.tab(6, at: 0, in: Plain.id(ofTab: 5), edge: .branch),
            Plain.tab(7, at: 0, in: Plain.id(ofTab: 6), edge: .branch),
            Plain.tab(9, at: 7, in: Plain.id(4), zone: .pinned),
            Plain.tab(8, at: 0, in: Plain.id(4)),
        ]
        let nodes = [
            Plain.node(1, at: 5), Plain.node(2, at: 1, in: Plain.id(1)),
            Plain.node(3, .split, at: 2, in: Plain.id(1)), Plain.node(4, .space, at: 20),
            Plain.node(5, .view, at: 21), Plain.node(6, .container, at: 22),
        ]
        return ExpectedSession(
            id: Plain.session(1, kind), attributes: SessionAttributes(title: "Forest"), tabs: tabs,
            nodes: nodes)
    }

    /// Returns a second session with a group.
    static func other(_ kind: SessionKind = .regular) -> ExpectedSession {
        ExpectedSession(
            id: Plain.session(2, kind), attributes: SessionAttributes(title: "Other"),
            tabs: [Plain.tab(20, at: 0, in: Plain.id(20))], nodes: [Plain.node(20, at: 0)])
    }

    /// Returns changes that put groups, each below the one before, as deep as nodes may be.
    static func deepest(_ first: Int, in session: SessionID) -> [SessionChanges.Change] {
        chain(first, count: SessionForest.maximumDepth + 1, in: session)
    }

    /// Returns changes that put groups, each below the one before.
    static func chain(
        _ first: Int, count: Int, in session: SessionID, below top: NodeID? = nil
    ) -> [SessionChanges.Change] {
        (0..<count).map { depth in
            let parent = depth == 0 ? top : Plain.id(first + depth - 1)
            return .put(Plain.node(first + depth, at: 500, in: parent), in: session)
        }
    }
}

extension RestoredSession {
    /// The forest as lines, indented by their depths, of plain tabs and nodes by their numbers.
    var outline: [String] {
        forest.rows.map { row in
            let indent = String(repeating: " ", count: row.depth)
            switch row.content {
            case .tab(let tab): return "\(indent)t\(tab.id.low)"
            case .node(let node): return "\(indent)n\(node.id.low)"
            }
        }
    }

    /// The tabs and nodes in their order, as lines of ``outline`` without indents.
    var listedOutline: [String] {
        outline.map { String($0.drop { $0 == " " }) }
    }
}

extension SessionStorage {
    /// Throws a ``Violation`` unless the forest of a session has these lines and needed no repair.
    func requireOutline(_ lines: [String], of session: SessionID, _ subject: String) async throws {
        let found = try unwrap(try await restore(session), "\(subject): the session is absent")
        try requireEqual(found.outline, lines, "\(subject): the forest")
        try requireEqual(found.repairs.map(\.kind), [], "\(subject): the repairs")
        try requireEqual(found.losses.count, 0, "\(subject): the number of losses")
        // The lists are in the order of the forest, without what reorders them.
        let tabs = found.tabs.map { "t\($0.id.low)" }
        let nodes = found.nodes.map { "n\($0.id.low)" }
        try requireEqual(
            tabs, found.listedOutline.filter { $0.hasPrefix("t") }, "\(subject): the order of tabs")
        try requireEqual(
            nodes, found.listedOutline.filter { $0.hasPrefix("n") },
            "\(subject): the order of nodes")
    }
}
