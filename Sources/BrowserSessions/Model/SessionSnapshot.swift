/// A whole session with the state of its tabs: what importers make and exporters take.
public struct SessionSnapshot: Hashable, Sendable {
    public var id: SessionID
    public var attributes: SessionAttributes
    /// In order.
    public var tabs: [TabSnapshot]

    public init(
        id: SessionID, attributes: SessionAttributes = SessionAttributes(), tabs: [TabSnapshot] = []
    ) {
        self.id = id
        self.attributes = attributes
        self.tabs = tabs
    }

    /// Gives every tab a new place, evenly spaced, in the order of ``tabs``.
    public mutating func renumberPlaces() {
        let places = OrderKey.evenlySpaced(count: tabs.count)
        for index in tabs.indices { tabs[index].metadata.place = places[index] }
    }
}

/// A tab with its state.
public struct TabSnapshot: Hashable, Sendable {
    public var metadata: TabMetadata
    public var states: [StateName: [UInt8]]

    public init(metadata: TabMetadata, states: [StateName: [UInt8]] = [:]) {
        self.metadata = metadata
        self.states = states
    }
}

extension SessionChanges {
    /// The changes that turn `previous` into `snapshot`: only what differs.
    ///
    /// Without `previous` everything is put. States named in the snapshot are always put; states
    /// that it does not name stay as they are.
    public init(saving snapshot: SessionSnapshot, replacing previous: RestoredSession? = nil) {
        self.init()
        if previous?.attributes != snapshot.attributes {
            put(snapshot.attributes, for: snapshot.id)
        }
        let before = Dictionary(
            previous?.tabs.map { ($0.id, $0) } ?? [], uniquingKeysWith: { first, _ in first })
        for tab in snapshot.tabs {
            if before[tab.metadata.id] != tab.metadata { put(tab.metadata, in: snapshot.id) }
            for (name, bytes) in tab.states.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                let side = snapshot.id.side
                put(bytes, for: TabStateKey(tab: tab.metadata.id, name: name, side: side))
            }
        }
        let kept = Set(snapshot.tabs.map(\.metadata.id))
        for tab in previous?.tabs ?? [] where !kept.contains(tab.id) {
            remove(tab.id, from: snapshot.id)
        }
    }
}
