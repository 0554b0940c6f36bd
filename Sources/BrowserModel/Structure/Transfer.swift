package import BrowserSessions

/// Tabs and nodes that are moving between lists, with what they are to be in the second one.
struct Transfer {
    let tabs: [Tab]
    /// All that comes, depth first: a tab with its record, or a node.
    private(set) var coming: [(item: any ListItem, record: TabMetadata?)] = []
    /// The nodes that leave the first list as a whole.
    private(set) var leaving: [ListNode] = []

    private let source: TabForest
    private let target: TabForest
    private let ids: Set<NodeID>
    private let chosen: Set<NodeID>
    private var whole: Set<NodeID> = []
    /// The identifiers of those that leave.
    private var gone: Set<NodeID> = []
    /// The groups in the second list for those that move in part.
    private var parts: [NodeID: NodeID] = [:]

    fileprivate init(
        _ tabs: [Tab], chosen: Set<NodeID>, from source: TabForest, to target: TabForest
    ) {
        (self.tabs, self.chosen, self.source, self.target) = (tabs, chosen, source, target)
        ids = Set(tabs.map(\.nodeID))
        if source.nodes.isEmpty, !tabs.contains(where: { $0.parent != nil }) {
            coming = tabs.map { ($0, $0.metadata) }
        } else {
            source.visit { item in self.visit(item) }
        }
    }

    /// The identifiers of the nodes that come.
    var nodes: [NodeID] { coming.compactMap { $0.item.node?.record.id } }

    private mutating func visit(_ item: any ListItem) {
        guard let node = item.node else {
            guard let tab = item.tab, ids.contains(item.nodeID) else { return }
            var record = tab.metadata
            if record.parent != nil {
                (record.parent, record.edge, record.zone) = newPlace(of: item)
                if record.parent != tab.metadata.parent { record.weight = 0 }
            }
            return coming.append((tab, record))
        }
        let range = source.range(of: item)
        let isWithParent =
            node.record.parent.map { gone.contains($0) || ids.contains($0) } ?? false
        let isWhole = !range.isEmpty && source.tabs[range].allSatisfy { ids.contains($0.nodeID) }
        guard
            chosen.isEmpty
                ? isWhole || range.isEmpty && isWithParent
                : isWithParent || chosen.contains(item.nodeID)
        else { return }
        leaving.append(node)
        gone.insert(item.nodeID)
        if !chosen.contains(item.nodeID), node.isGroup, let same = target.node(sameAs: node.record)
        {
            parts[item.nodeID] = same.id
            return
        }
        whole.insert(item.nodeID)
        add(node.record, placedAs: item)
    }

    private mutating func add(_ record: StructureNode, placedAs item: any ListItem) {
        var record = record
        (record.parent, record.edge, record.zone) = newPlace(of: item)
        coming.append((ListNode(record), nil))
    }

    /// Returns what an item comes below: what it was below, if that moves, or else the nearest node above
    /// that moves, or a group for one that moves in part.
    private mutating func newPlace(of item: any ListItem) -> (NodeID?, NodeEdge, NodeZone) {
        var place = item
        while !chosen.contains(item.nodeID), let parent = place.above {
            var found =
                whole.contains(parent.nodeID) || ids.contains(parent.nodeID) ? parent.nodeID : nil
            var edge = place.edge
            if found == nil, place.edge.known == .member {
                (found, edge) = (part(of: parent), .member)
            }
            if let found { return (found, edge, item.parent == found ? item.zone : .normal) }
            place = parent
        }
        return (nil, .member, item.wholeZone)
    }

    private mutating func part(of item: any ListItem) -> NodeID? {
        guard let node = item.node, node.isGroup else { return nil }
        if let known = parts[item.nodeID] ?? target.node(sameAs: node.record)?.id {
            parts[item.nodeID] = known
            return known
        }
        var record = node.record
        (record.id, record.origin) = (.random(), node.record.origin)
        add(record, placedAs: item)
        parts[item.nodeID] = record.id
        return record.id
    }
}

extension TabForest {
    /// Returns what moves to another forest.
    ///
    /// - Parameter chosen: the tabs and nodes that move with all that is below them; empty if only tabs move.
    func transfer(_ tabs: [Tab], chosen: Set<NodeID>, to other: TabForest) -> Transfer {
        Transfer(tabs, chosen: chosen, from: self, to: other)
    }

    /// Returns the node that is the same as one that was here, or in another list: it has its identifier, or
    /// both come from one group that tabs of several lists were in; `nil` if there is none.
    func node(sameAs other: StructureNode) -> StructureNode? {
        if let node = nodes[other.id] { return node.record }
        guard !nodes.isEmpty else { return nil }
        let origin = other.origin
        return nodes.values.map(\.record).filter { $0.kind == .group && $0.origin == origin }
            .min { $0.id < $1.id }
    }
}

extension StructureNode {
    private static let originName = "browser-sessions.group"

    /// The group that this one was made from, because a store has each group in one session and its
    /// tabs were in several; its own identifier if it was not.
    package var origin: NodeID {
        get { properties[Self.originName].flatMap { NodeID($0) } ?? id }
        set { properties[Self.originName] = newValue == id ? nil : newValue.description }
    }
}
