/// A node of a session's forest that is no tab: a group, a split, a space, a view or a container.
///
/// Each node is one record. Its parent and its order among the siblings are in it, and no record lists
/// children, so that moving a folder of 300 tabs writes one record.
public struct StructureNode: Hashable, Sendable, Identifiable {
    /// The identifier, which stays the same when the node moves.
    public var id: NodeID
    /// What the node is.
    public var kind: Kind
    /// The order among the siblings of one edge and zone; see ``OrderKey``.
    public var place: OrderKey
    /// The node that this one is below; `nil` at the top of the session.
    public var parent: NodeID?
    /// How it is below its parent.
    public var edge: NodeEdge
    /// The part of its window, space or view; only at the top or directly in a space or view.
    public var zone: NodeZone
    /// The share in a split; 0 for that of the mean.
    public var weight: Int32
    /// What the program that made a group calls it, such as `folder` or `stack`; empty for a plain group,
    /// which goes with its last tab.
    public var style: String
    /// The name that the user gave; empty if there is none.
    public var name: String
    /// The color, if it is one of the palette.
    public var color: TabGroupColor
    /// A color that no palette has, as the host writes it; empty if there is none.
    public var colorText: String
    /// An icon or emoji, as the host writes it; empty if there is none.
    public var icon: String
    /// Whether the members are hidden.
    public var isCollapsed: Bool
    /// Whether the branches are hidden.
    public var isFolded: Bool
    /// The container that new tabs below it get; `nil` if they get none.
    public var container: NodeID?
    /// How the panes of a split run.
    public var axis: SplitAxis
    /// The node of the library that a view shows; `nil` if it shows none.
    public var link: NodeID?
    /// The tab that was last used in a split, space or view; `nil` if it is unknown.
    public var active: TabID?
    /// Where the node was before it was closed, archived or saved; `nil` if it was not.
    public var closedFrom: FormerPlace?
    /// Small attributes that belong to the host, and what other programs write; kept as given.
    public var properties: [String: String]
    /// Fields that a newer version wrote, kept as they were found.
    package internal(set) var unknownFields: [UInt8] = []

    /// What a node is. An open set: nodes of newer kinds are kept where they are.
    public struct Kind: Hashable, Sendable, RawRepresentable {
        /// The word in the record.
        public var rawValue: String

        /// Creates a kind from the word in a record.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Tabs and nodes under one name: a group, folder, stack or island.
        public static let group = Kind(rawValue: "group")
        /// Tabs that are shown together.
        public static let split = Kind(rawValue: "split")
        /// A set of tabs that windows show one at a time.
        public static let space = Kind(rawValue: "space")
        /// What a window shows of a shared node, with the window's own nodes in it.
        public static let view = Kind(rawValue: "view")
        /// A separate identity of the user: cookies and logins. It has no nodes below it.
        public static let container = Kind(rawValue: "container")
    }

    /// Creates a node, by default at the top of the normal zone and without a name.
    public init(
        id: NodeID = .random(), _ kind: Kind, place: OrderKey, parent: NodeID? = nil,
        edge: NodeEdge = .member, name: String = "", color: TabGroupColor = .grey
    ) {
        self.id = id
        self.kind = kind
        self.place = place
        self.parent = parent
        self.edge = edge
        zone = .normal
        weight = 0
        style = ""
        self.name = name
        self.color = color
        colorText = ""
        icon = ""
        isCollapsed = false
        isFolded = false
        axis = .row
        properties = [:]
    }
}

extension StructureNode {
    /// Returns a plain group at the top, by default gray, expanded, without a name and with a random
    /// identifier. The list or importer that puts it there sets ``place``.
    public static func group(
        id: NodeID = .random(), name: String = "", color: TabGroupColor = .grey,
        isCollapsed: Bool = false
    ) -> StructureNode {
        var group = StructureNode(id: id, .group, place: .middle, name: name, color: color)
        group.isCollapsed = isCollapsed
        return group
    }

    /// Returns a group that stays when it is empty, and that a program calls a folder.
    public static func folder(
        id: NodeID = .random(), name: String = "", color: TabGroupColor = .grey
    ) -> StructureNode {
        var folder = group(id: id, name: name, color: color)
        folder.style = "folder"
        return folder
    }

    /// Returns a split, by default of panes that are next to each other.
    public static func split(id: NodeID = .random(), axis: SplitAxis = .row) -> StructureNode {
        var split = StructureNode(id: id, .split, place: .middle)
        split.axis = axis
        return split
    }

    /// Returns a space, which belongs into the library of a profile.
    public static func space(id: NodeID = .random(), name: String = "") -> StructureNode {
        StructureNode(id: id, .space, place: .middle, name: name)
    }

    /// Whether the node is a group that goes with the last node in it.
    package var isPlainGroup: Bool { kind == .group && style.isEmpty }
}

// Message `StructureNode` of records.proto.
extension StructureNode: FieldRecord {
    package static var blank: StructureNode {
        StructureNode(id: .zero, Kind(rawValue: ""), place: .middle)
    }

    /// Visits all fields except the ID, which is in the record's key.
    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.order(Field(1, "orderKey"), &place)
        try visitor.text(Field(2, "kind"), &kind.rawValue)
        try visitor.identifier(Field(3, "parent"), &parent)
        try visitor.number(Field(4, "edge"), &edge.rawValue)
        try visitor.number(Field(5, "zone"), &zone.rawValue)
        try visitor.number(Field(6, "weight"), &weight)
        try visitor.text(Field(7, "name"), &name)
        try visitor.number(Field(8, "color"), &color.rawValue)
        try visitor.text(Field(9, "colorText"), &colorText)
        try visitor.text(Field(10, "icon"), &icon)
        try visitor.flag(Field(11, "isCollapsed"), &isCollapsed)
        try visitor.flag(Field(12, "isFolded"), &isFolded)
        try visitor.identifier(Field(13, "container"), &container)
        try visitor.number(Field(14, "axis"), &axis.rawValue)
        try visitor.identifier(Field(15, "link"), &link)
        try visitor.identifier(Field(16, "active"), &active)
        try visitor.record(Field(17, "closedFrom"), &closedFrom)
        try visitor.texts(Field(18, "properties"), &properties)
        try visitor.text(Field(19, "style"), &style)
        try visitor.unknownFields(&unknownFields)
    }
}

extension StructureNode: WireMessage {
    package var encodedCapacity: Int { 96 + name.utf8.count + unknownFields.count }

    package init(id: NodeID, payload: UnsafeRawBufferPointer) throws(WireError) {
        self = .blank
        self.id = id
        try WireDecoder.read(&self, from: payload)
    }
}

extension StructureNode.Kind {
    /// Whether nodes of this kind have members. Those of newer kinds may.
    package var hasMembers: Bool { self != .container }

    /// Whether nodes of this kind have branches. Those of newer kinds may.
    package var hasBranches: Bool { self != .container && self != .space && self != .view }

    /// Whether nodes of this kind have no parent.
    package var isRoot: Bool { self == .space || self == .view || self == .container }
}
