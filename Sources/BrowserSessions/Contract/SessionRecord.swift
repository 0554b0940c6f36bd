/// The identifier of a session, a tab or a node that is no tab.
public enum SessionItem: Hashable, Sendable {
    /// A session, by its window and kind.
    case session(SessionID)
    /// A tab.
    case tab(TabID)
    /// A group, split, space, view or container.
    case node(NodeID)

    /// The identifier among the nodes of a forest; `nil` for a session.
    package var nodeID: NodeID? {
        switch self {
        case .session: nil
        case .tab(let id): NodeID(id)
        case .node(let id): id
        }
    }
}

/// The attributes of a session, a tab or another node, with the session that it is in.
public enum SessionRecord: Hashable, Sendable {
    /// The attributes of a session.
    case session(SessionID, SessionAttributes)
    /// A tab.
    case tab(TabMetadata, in: SessionID)
    /// A group, split, space, view or container.
    case node(StructureNode, in: SessionID)

    /// The session that the record is in; for attributes, the session that has them.
    public var session: SessionID {
        switch self {
        case .session(let id, _), .tab(_, let id), .node(_, let id): id
        }
    }

    /// The session, tab or node that the record describes.
    public var item: SessionItem {
        switch self {
        case .session(let id, _): .session(id)
        case .tab(let tab, _): .tab(tab.id)
        case .node(let node, _): .node(node.id)
        }
    }

    /// What a person calls it: the title or name, else the address; empty if there is neither.
    public var title: String {
        switch self {
        case .session(_, let attributes): attributes.title
        case .tab(let tab, _): [tab.name, tab.title, tab.url].first { !$0.isEmpty } ?? ""
        case .node(let node, _): node.name
        }
    }

    /// The tab; `nil` if the record is about something else.
    public var tab: TabMetadata? {
        if case .tab(let tab, _) = self { tab } else { nil }
    }

    /// The node that is no tab; `nil` if the record is about something else.
    public var node: StructureNode? {
        if case .node(let node, _) = self { node } else { nil }
    }

    /// The attributes of a session; `nil` if the record is about something else.
    public var attributes: SessionAttributes? {
        if case .session(_, let attributes) = self { attributes } else { nil }
    }
}

extension SessionRecord {
    /// Where a tab or node is; `nil` for a session.
    package var position: Position? {
        get {
            switch self {
            case .session: nil
            case .tab(let tab, let session):
                Position(
                    list: .init(
                        session: session, parent: tab.parent, edge: tab.edge, zone: tab.zone),
                    place: tab.place, id: NodeID(tab.id))
            case .node(let node, let session):
                Position(
                    list: .init(
                        session: session, parent: node.parent, edge: node.edge, zone: node.zone),
                    place: node.place, id: node.id)
            }
        }
        set {
            guard let new = newValue else { return }
            let list = new.list
            switch self {
            case .session: break
            case .tab(var tab, _):
                (tab.parent, tab.edge, tab.zone, tab.place) = (
                    list.parent, list.edge, list.zone, new.place
                )
                self = .tab(tab, in: list.session)
            case .node(var node, _):
                (node.parent, node.edge, node.zone, node.place) = (
                    list.parent, list.edge, list.zone, new.place
                )
                self = .node(node, in: list.session)
            }
        }
    }

    /// The list of siblings that a tab or node is in, with its order among them.
    package struct Position: Hashable, Comparable {
        package var list: SiblingList
        package var place: OrderKey
        var id: NodeID

        package static func < (left: Self, right: Self) -> Bool {
            left.place != right.place ? left.place < right.place : left.id < right.id
        }
    }

    /// The siblings of one parent, edge and zone.
    package struct SiblingList: Hashable {
        var session: SessionID
        package var parent: NodeID?
        var edge: NodeEdge
        var zone: NodeZone

        package func hash(into hasher: inout Hasher) {
            hasher.combine(session)
            hasher.combine(parent)
        }
    }

    /// The node that a tab or node is below; `nil` at the top, and for a session.
    package var parent: NodeID? { position?.list.parent }

    /// The identifier among the nodes of a forest; `nil` for a session.
    package var nodeID: NodeID? { item.nodeID }

    /// Takes a tab or node out of its parent, into a node above it or to the top; `nil` for the top.
    package mutating func lift(into holder: SessionRecord?) {
        guard var list = position?.list else { return }
        list.parent = holder?.nodeID
        list.edge = holder?.tab != nil ? .branch : .member
        if let holder, holder.node.map({ $0.kind != .space && $0.kind != .view }) ?? true {
            list.zone = .normal
        }
        position?.list = list
    }

    /// Whether it is nothing without what is in it: a session, a plain group, or a split.
    package var isOnlyForItsContent: Bool {
        switch self {
        case .session: true
        case .node(let node, _): node.isPlainGroup || node.kind == .split
        case .tab: false
        }
    }

    /// Returns this record at the position of another one of the same item, closed or open as that.
    package func back(at other: SessionRecord) -> SessionRecord {
        var record = self
        record.position = other.position
        switch (record, other) {
        case (.tab(var tab, let session), .tab(let other, _)):
            tab.closedFrom = other.closedFrom
            tab.properties = tab.properties.withOwnProperties(of: other.properties)
            return .tab(tab, in: session)
        case (.node(var node, let session), .node(let other, _)):
            node.closedFrom = other.closedFrom
            return .node(node, in: session)
        default: return record
        }
    }

    /// Returns the names of the fields with other values in a record of the same item, in the order of
    /// the schema.
    package func fieldsThatDiffer(from other: SessionRecord) -> [String] {
        switch (self, other) {
        case (.session(_, let one), .session(_, let other)): one.fieldsThatDiffer(from: other)
        case (.tab(let one, _), .tab(let other, _)): one.fieldsThatDiffer(from: other)
        case (.node(let one, _), .node(let other, _)): one.fieldsThatDiffer(from: other)
        default: []
        }
    }
}

/// The bytes that a store keeps, without the identifiers: equal if and only if nothing differs.
extension SessionRecord: WireMessage {
    package var encodedCapacity: Int {
        switch self {
        case .session(_, let attributes): attributes.encodedCapacity
        case .tab(let tab, _): tab.encodedCapacity
        case .node(let node, _): node.encodedCapacity
        }
    }

    package func encode(to writer: inout WireWriter) {
        switch self {
        case .session(_, let attributes): attributes.encode(to: &writer)
        case .tab(let tab, _): tab.encode(to: &writer)
        case .node(let node, _): node.encode(to: &writer)
        }
    }

    package init(_ item: SessionItem, in session: SessionID, payload: UnsafeRawBufferPointer)
        throws(WireError)
    {
        switch item {
        case .session: self = .session(session, try SessionAttributes(payload: payload))
        case .tab(let id): self = .tab(try TabMetadata(id: id, payload: payload), in: session)
        case .node(let id): self = .node(try StructureNode(id: id, payload: payload), in: session)
        }
    }
}

extension RestoredSession {
    /// The attributes of the session, its nodes and its tabs.
    package var records: [SessionRecord] {
        [.session(id, attributes)] + nodes.map { .node($0, in: id) } + tabs.map { .tab($0, in: id) }
    }

    /// Replaces the attributes, or adds a tab or node at the end.
    package mutating func add(_ record: SessionRecord) {
        switch record {
        case .session(_, let attributes): self.attributes = attributes
        case .tab(let tab, _): tabs.append(tab)
        case .node(let node, _): nodes.append(node)
        }
    }
}
