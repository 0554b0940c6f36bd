import BrowserSessions

extension RestoredSession {
    /// The nodes with their positions in the order of all tabs and nodes, depth first, from 0.
    ///
    /// Positions say the order without order keys. A node that a restore would leave out has none.
    var positionedNodes: [(node: StructureNode, position: Int?)] {
        guard !nodes.isEmpty else { return [] }
        var positions: [NodeID: Int] = [:]
        for (position, row) in forest.rows.enumerated() {
            if case .node(let node) = row.content { positions[node.id] = position }
        }
        return nodes.map { ($0, positions[$0.id]) }
    }

    init(_ snapshot: SessionSnapshot) {
        self.init(
            id: snapshot.id, attributes: snapshot.attributes,
            tabs: snapshot.tabs.map(\.metadata), nodes: snapshot.nodes)
    }
}

/// The places of nodes and tabs that come in order, some nodes with their positions.
struct PlacesInOrder {
    /// The places of the nodes; `nil` for one without a position of its own.
    private(set) var nodes: [OrderKey?] = []
    private var others: ArraySlice<OrderKey> = []

    /// - Parameter positions: The position of each node from 0, if it has one.
    /// - Parameter tabCount: The number of tabs.
    init(positions: [Int?], tabCount: Int) {
        let places = OrderKey.evenlySpaced(count: positions.count + tabCount)
        var isTaken = [Bool](repeating: false, count: places.count)
        for position in positions {
            guard let position, places.indices.contains(position), !isTaken[position] else {
                nodes.append(nil)
                continue
            }
            isTaken[position] = true
            nodes.append(places[position])
        }
        others = zip(places, isTaken).filter { !$0.1 }.map(\.0)[...]
    }

    /// Returns the place of the next tab, and after all tabs that of the next node without a position.
    mutating func next() -> OrderKey { others.popFirst() ?? .between(nil, and: nil) }
}
