/// A complete session with the state of its tabs. Importers produce it and exporters consume it.
public struct SessionSnapshot: Hashable, Sendable {
    /// The window and the kind of the session.
    public var id: SessionID
    /// What is saved about the session, in addition to its tabs.
    public var attributes: SessionAttributes
    /// The tabs, in order.
    public var tabs: [TabSnapshot]
    /// The nodes that are no tabs, in order.
    public var nodes: [StructureNode]

    /// Creates a snapshot, by default one with empty attributes and without tabs.
    public init(
        id: SessionID, attributes: SessionAttributes = SessionAttributes(),
        tabs: [TabSnapshot] = [],
        nodes: [StructureNode] = []
    ) {
        self.id = id
        self.attributes = attributes
        self.tabs = tabs
        self.nodes = nodes
    }

    /// Gives every tab a new, evenly spaced place in the order of ``tabs``, and every other node the
    /// place of the first tab in it; nodes without tabs come last, in the order of ``nodes``.
    ///
    /// The tabs in a node must be neighbors. Their order, depth first, is then that of ``tabs``.
    package mutating func renumberPlaces() {
        let places = OrderKey.evenlySpaced(count: tabs.count + nodes.count)
        for index in tabs.indices { tabs[index].metadata.place = places[index] }
        for index in nodes.indices { nodes[index].place = places[tabs.count + index] }
        nodes.takePlaces(of: tabs.lazy.map(\.metadata))
    }
}

extension [StructureNode] {
    /// Gives every node the place of the first of these tabs in it. The others keep theirs.
    package mutating func takePlaces(of tabs: some Sequence<TabMetadata>) {
        guard !isEmpty else { return }
        var numbers: [NodeID: Int] = [:]
        for index in indices { numbers[self[index].id] = index }
        var isPlaced = [Bool](repeating: false, count: count)
        for tab in tabs {
            var next = tab.parent
            while let index = next.flatMap({ numbers[$0] }), !isPlaced[index] {
                isPlaced[index] = true
                self[index].place = tab.place
                next = self[index].parent
            }
        }
    }
}

/// A tab with its state.
public struct TabSnapshot: Hashable, Sendable {
    /// What is known about the tab without its state.
    public var metadata: TabMetadata
    /// The state blobs of the tab, by name; empty if only the metadata is known.
    public var states: [StateName: [UInt8]]

    /// Creates a tab, by default one without state.
    public init(metadata: TabMetadata, states: [StateName: [UInt8]] = [:]) {
        self.metadata = metadata
        self.states = states
    }
}

extension SessionChanges {
    /// Creates the changes that turn `previous` into `snapshot`, with only what differs.
    ///
    /// Without `previous`, everything is put. States in the snapshot are always put; other states
    /// stay as they are.
    public init(saving snapshot: SessionSnapshot, replacing previous: RestoredSession? = nil) {
        self.init()
        if previous?.attributes != snapshot.attributes {
            put(snapshot.attributes, for: snapshot.id)
        }
        let nodesBefore = Dictionary(
            previous?.nodes.map { ($0.id, $0) } ?? [], uniquingKeysWith: { first, _ in first })
        for node in snapshot.nodes where nodesBefore[node.id] != node {
            put(node, in: snapshot.id)
        }
        let before = Dictionary(
            previous?.tabs.map { ($0.id, $0) } ?? [], uniquingKeysWith: { first, _ in first })
        for tab in snapshot.tabs {
            if before[tab.metadata.id] != tab.metadata { put(tab.metadata, in: snapshot.id) }
            for (name, bytes) in tab.states.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                let partition = snapshot.id.partition
                put(bytes, for: TabStateKey(tab: tab.metadata.id, name: name, partition: partition))
            }
        }
        let kept = Set(snapshot.tabs.map(\.metadata.id))
        for tab in previous?.tabs ?? [] where !kept.contains(tab.id) {
            remove(tab.id, from: snapshot.id)
        }
        let keptNodes = Set(snapshot.nodes.map(\.id))
        for node in previous?.nodes ?? [] where !keptNodes.contains(node.id) {
            remove(node.id, from: snapshot.id)
        }
    }
}
