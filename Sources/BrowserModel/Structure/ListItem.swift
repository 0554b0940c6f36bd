import BrowserSessions

/// What a tab or node of a list is directly below, which holds it.
struct ItemAbove {
    private unowned var tab: Tab?
    private unowned var node: ListNode?

    init(_ item: ListItem? = nil) {
        switch item {
        case nil: break
        case .tab(let tab): self.tab = tab
        case .node(let node): self.node = node
        }
    }

    var item: ListItem? {
        if let node { return .node(node) }
        return tab.map { .tab($0) }
    }
}

/// A node of a list that is no tab, with what is below it.
final class ListNode {
    // What is read of each node above a tab comes first: all of it is in one line of the cache.
    var above = ItemAbove()
    /// How many tabs are below it, at any depth.
    var tabCount = 0
    let isGroup: Bool
    /// Whether what is directly in it has zones of its own.
    let hasZones: Bool
    /// What is inside it, in order.
    var members = SiblingItems()
    /// What branches from it, in order.
    var branches = SiblingItems()
    /// What is saved of it, with the node that it is below and its place there. Its kind stays.
    var record: StructureNode

    init(_ record: StructureNode) {
        self.record = record
        isGroup = record.kind == .group
        hasZones = record.kind == .space || record.kind == .view
    }
}

/// A tab or another node of a list.
enum ListItem {
    case tab(Tab)
    case node(ListNode)

    var id: NodeID {
        switch self {
        case .tab(let tab): NodeID(tab.id)
        case .node(let node): node.record.id
        }
    }

    var parent: NodeID? {
        switch self {
        case .tab(let tab): tab.metadata.parent
        case .node(let node): node.record.parent
        }
    }

    /// The node with the identifier ``parent``, in a forest. Only a ``TabForest`` sets it.
    var above: ListItem? {
        get {
            switch self {
            case .tab(let tab): tab.above.item
            case .node(let node): node.above.item
            }
        }
        nonmutating set {
            switch self {
            case .tab(let tab): tab.above = ItemAbove(newValue)
            case .node(let node): node.above = ItemAbove(newValue)
            }
        }
    }

    var edge: NodeEdge {
        switch self {
        case .tab(let tab): tab.metadata.edge
        case .node(let node): node.record.edge
        }
    }

    /// Returns what is directly below it by an edge. Tabs only have branches.
    func children(_ edge: NodeEdge) -> SiblingItems {
        switch self {
        case .tab(let tab): tab.branches
        case .node(let node): edge == .branch ? node.branches : node.members
        }
    }

    var zone: NodeZone {
        switch self {
        case .tab(let tab): tab.metadata.zone
        case .node(let node): node.record.zone
        }
    }

    var place: OrderKey {
        switch self {
        case .tab(let tab): tab.metadata.place
        case .node(let node): node.record.place
        }
    }

    /// Whether nothing is below it.
    var isLeaf: Bool {
        switch self {
        case .tab(let tab): !tab.hasBranches
        case .node(let node): node.members.items.isEmpty && node.branches.items.isEmpty
        }
    }

    /// Forgets what it is below, and what is below it.
    func leaveForest() {
        above = nil
        switch self {
        case .tab(let tab): tab.forgetBranches()
        case .node(let node):
            (node.members, node.branches, node.tabCount) = (SiblingItems(), SiblingItems(), 0)
        }
    }

    /// What the node is; `nil` for a tab.
    var kind: StructureNode.Kind? {
        switch self {
        case .tab: nil
        case .node(let node): node.record.kind
        }
    }

    /// The share in a split; 0 for that of the mean.
    var weight: Int32 {
        get {
            switch self {
            case .tab(let tab): tab.metadata.rare?.fields.weight ?? 0
            case .node(let node): node.record.weight
            }
        }
        nonmutating set {
            guard newValue != weight else { return }
            switch self {
            case .tab(let tab): tab.metadata.weight = newValue
            case .node(let node): node.record.weight = newValue
            }
        }
    }

    /// Where it was before what it was in went, unless it was moved since; `nil` if it did not.
    var closedFrom: FormerPlace? {
        get {
            switch self {
            case .tab(let tab): tab.metadata.rare?.fields.closedFrom
            case .node(let node): node.record.closedFrom
            }
        }
        nonmutating set {
            guard newValue != closedFrom else { return }
            switch self {
            case .tab(let tab): tab.metadata.closedFrom = newValue
            case .node(let node): node.record.closedFrom = newValue
            }
        }
    }

    /// Whether its members are hidden.
    var isCollapsed: Bool {
        switch self {
        case .tab: false
        case .node(let node): node.record.isCollapsed
        }
    }

    /// Whether its branches are hidden.
    var isFolded: Bool {
        switch self {
        case .tab(let tab): tab.metadata.isFolded
        case .node(let node): node.record.isFolded
        }
    }

    /// Whether it is the same object.
    func isSame(_ other: ListItem) -> Bool {
        switch (self, other) {
        case (.tab(let one), .tab(let other)): one === other
        case (.node(let one), .node(let other)): one === other
        default: false
        }
    }

    /// Whether what is directly in it has zones of its own.
    var hasZones: Bool { if case .node(let node) = self { node.hasZones } else { false } }

    /// Puts it below another node, where it has the mean share. It must not be in a forest meanwhile.
    func put(below parent: NodeID?, _ edge: NodeEdge, _ zone: NodeZone, at place: OrderKey) {
        if self.parent != parent { weight = 0 }
        switch self {
        case .tab(let tab):
            (tab.metadata.parent, tab.metadata.edge) = (parent, edge)
            (tab.metadata.zone, tab.metadata.place) = (zone, place)
        case .node(let node):
            (node.record.parent, node.record.edge) = (parent, edge)
            (node.record.zone, node.record.place) = (zone, place)
        }
    }
}
