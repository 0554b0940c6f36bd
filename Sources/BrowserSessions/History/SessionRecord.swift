/// The identifier of a session, a tab or a node that is no tab.
public enum SessionItem: Hashable, Sendable {
    /// A session, by its window and kind.
    case session(SessionID)
    /// A tab.
    case tab(TabID)
    /// A group, split, space, view or container.
    case node(NodeID)
}

/// The attributes of a session, a tab or another node, with the session that it is in.
public struct SessionRecord: Hashable, Sendable {
    /// What the record holds.
    public enum Content: Hashable, Sendable {
        /// The attributes of the session.
        case session(SessionAttributes)
        /// A tab of the session.
        case tab(TabMetadata)
        /// A node of the session that is no tab.
        case node(StructureNode)
    }

    /// What the record holds.
    public var content: Content
    /// The session that the record is in; for attributes, the session that has them.
    public var session: SessionID

    /// Creates a record.
    public init(_ content: Content, in session: SessionID) {
        self.content = content
        self.session = session
    }

    /// The session, tab or node that the record describes.
    public var item: SessionItem {
        switch content {
        case .session: .session(session)
        case .tab(let tab): .tab(tab.id)
        case .node(let node): .node(node.id)
        }
    }

    /// What a person calls it: the title or name, else the address; empty if there is neither.
    public var title: String {
        switch content {
        case .session(let attributes): attributes.title
        case .tab(let tab):
            [tab.name, tab.title, tab.url].first { !$0.isEmpty } ?? ""
        case .node(let node): node.name
        }
    }

    /// The tab; `nil` if the record is about something else.
    public var tab: TabMetadata? {
        if case .tab(let tab) = content { tab } else { nil }
    }

    /// The node that is no tab; `nil` if the record is about something else.
    public var node: StructureNode? {
        if case .node(let node) = content { node } else { nil }
    }

    /// The attributes of a session; `nil` if the record is about something else.
    public var attributes: SessionAttributes? {
        if case .session(let attributes) = content { attributes } else { nil }
    }
}

extension SessionRecord {
    /// The list of siblings that a tab or node is in, with its order among them; `nil` for a session.
    var position: Position? {
        switch content {
        case .session: nil
        case .tab(let tab):
            Position(
                list: .init(
                    session: session, parent: tab.parent, edge: tab.edge, zone: tab.zone),
                place: tab.place, id: NodeID(tab.id))
        case .node(let node):
            Position(
                list: .init(
                    session: session, parent: node.parent, edge: node.edge, zone: node.zone),
                place: node.place, id: node.id)
        }
    }

    struct Position: Hashable, Comparable {
        var list: SiblingList
        var place: OrderKey
        var id: NodeID

        static func < (left: Self, right: Self) -> Bool {
            left.place != right.place ? left.place < right.place : left.id < right.id
        }
    }

    /// The siblings of one parent, edge and zone.
    struct SiblingList: Hashable {
        var session: SessionID
        var parent: NodeID?
        var edge: NodeEdge
        var zone: NodeZone

        func hash(into hasher: inout Hasher) {
            hasher.combine(session)
            hasher.combine(parent)
        }
    }

    /// The node that a tab or node is below; `nil` at the top, and for a session.
    var parent: NodeID? { position?.list.parent }

    /// The identifier among the nodes of a forest; `nil` for a session.
    var nodeID: NodeID? { position?.id }

    /// Replaces where a tab or node is in its session.
    mutating func move(to list: SiblingList) {
        session = list.session
        switch content {
        case .session: break
        case .tab(var tab):
            (tab.parent, tab.edge, tab.zone) = (list.parent, list.edge, list.zone)
            content = .tab(tab)
        case .node(var node):
            (node.parent, node.edge, node.zone) = (list.parent, list.edge, list.zone)
            content = .node(node)
        }
    }

    /// Takes a tab or node out of its parent, into a node above it or to the top; `nil` for the top.
    mutating func lift(into holder: SessionRecord?) {
        guard var list = position?.list else { return }
        list.parent = holder?.nodeID
        list.edge = holder?.tab != nil ? .branch : .member
        if let holder, holder.node.map({ $0.kind != .space && $0.kind != .view }) ?? true {
            list.zone = .normal
        }
        move(to: list)
    }

    /// Whether it is nothing without what is in it: a session, a plain group, or a split.
    var isOnlyForItsContent: Bool {
        switch content {
        case .session: true
        case .node(let node): node.isPlainGroup || node.kind == .split
        case .tab: false
        }
    }

    /// Replaces the order of a tab or node among its siblings.
    mutating func setPlace(_ place: OrderKey) {
        switch content {
        case .session: break
        case .tab(var tab):
            tab.place = place
            content = .tab(tab)
        case .node(var node):
            node.place = place
            content = .node(node)
        }
    }

    /// Returns this record at the position of another one of the same item, closed or open as that.
    func back(at other: SessionRecord) -> SessionRecord {
        var record = self
        guard let position = other.position else { return record }
        record.move(to: position.list)
        record.setPlace(position.place)
        switch (record.content, other.content) {
        case (.tab(var tab), .tab(let other)):
            tab.closedFrom = other.closedFrom
            tab.properties = tab.properties.withOwnProperties(of: other.properties)
            record.content = .tab(tab)
        case (.node(var node), .node(let other)):
            node.closedFrom = other.closedFrom
            record.content = .node(node)
        default: break
        }
        return record
    }

    /// The bytes that a store would keep: equal if and only if nothing differs.
    var payload: [UInt8] {
        switch content {
        case .session(let attributes): attributes.encodedPayload()
        case .tab(let tab): tab.encodedPayload()
        case .node(let node): node.encodedPayload()
        }
    }

    /// Returns the names of the fields with other values in a record of the same item, in the order of
    /// the schema.
    func fieldsThatDiffer(from other: SessionRecord) -> [String] {
        switch (content, other.content) {
        case (.session(let one), .session(let other)): one.fieldsThatDiffer(from: other)
        case (.tab(let one), .tab(let other)): one.fieldsThatDiffer(from: other)
        case (.node(let one), .node(let other)): one.fieldsThatDiffer(from: other)
        default: []
        }
    }
}

extension SessionChanges {
    /// Puts a record.
    mutating func put(_ record: SessionRecord) {
        switch record.content {
        case .session(let attributes): put(attributes, for: record.session)
        case .tab(let tab): put(tab, in: record.session)
        case .node(let node): put(node, in: record.session)
        }
    }
}
