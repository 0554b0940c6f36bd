import BrowserSessions

/// The removal of some tabs of a session. What is below a tab takes the tab's place, plain groups
/// and splits that lose all their tabs go, and the next tab becomes active if the active one goes.
struct TabRemoval {
    private let session: RestoredSession
    private let leaving: Set<NodeID>
    private let removedTabs: [TabMetadata]

    init(of tabs: [TabMetadata], from session: RestoredSession) {
        self.session = session
        removedTabs = tabs
        let ids = Set(tabs.map { NodeID($0.id) })
        leaving = ids.union(Self.emptied(session, ids))
    }

    /// Returns the groups and splits without any tab that stays.
    private static func emptied(_ session: RestoredSession, _ removed: Set<NodeID>) -> Set<NodeID> {
        let parents = Dictionary(
            session.nodes.map { ($0.id, $0.parent) }, uniquingKeysWith: { first, _ in first })
        func nodesAbove(_ tabs: [TabMetadata]) -> Set<NodeID> {
            var found: Set<NodeID> = []
            for tab in tabs {
                var next = tab.parent
                while let id = next, found.insert(id).inserted { next = parents[id] ?? nil }
            }
            return found
        }
        let tabs = session.tabs
        let before = nodesAbove(tabs.filter { removed.contains(NodeID($0.id)) })
        let after = nodesAbove(tabs.filter { !removed.contains(NodeID($0.id)) })
        return Set(
            session.nodes.filter { node in
                (node.kind == .split || node.kind == .group && node.style.isEmpty)
                    && before.contains(node.id)
                    && !after.contains(node.id)
            }.map(\.id))
    }

    func add(to changes: inout SessionChanges) {
        for tab in removedTabs { changes.remove(tab.id, from: session.id) }
        for node in session.nodes where leaving.contains(node.id) {
            changes.remove(node.id, from: session.id)
        }
        moveUp(&changes)
        guard let active = session.attributes.activeTab,
            leaving.contains(NodeID(active))
        else { return }
        var attributes = session.attributes
        attributes.activeTab = neighbor(of: active)
        changes.put(attributes, for: session.id)
    }

    /// The next tab that stays behind a tab, or the last one before it.
    private func neighbor(of tab: TabID) -> TabID? {
        let place = session.tabs.firstIndex { $0.id == tab } ?? 0
        let stays = { (tab: TabMetadata) in !leaving.contains(NodeID(tab.id)) }
        return session.tabs[place...].first(where: stays)?.id
            ?? session.tabs[..<place].last(where: stays)?.id
    }

    // MARK: What is below a tab that goes

    /// Where a tab or node is.
    private struct Place: Hashable {
        var parent: NodeID?
        var edge: NodeEdge
        var zone: NodeZone
        var key: OrderKey
    }

    private var places: [NodeID: Place] {
        let tabs = session.tabs.map {
            (
                NodeID($0.id),
                Place(parent: $0.parent, edge: $0.edge, zone: $0.zone, key: $0.place)
            )
        }
        let nodes = session.nodes.map {
            ($0.id, Place(parent: $0.parent, edge: $0.edge, zone: $0.zone, key: $0.place))
        }
        return Dictionary(tabs + nodes, uniquingKeysWith: { first, _ in first })
    }

    /// Moves what is below a tab that goes to the place of the tab, in its order. Panes of splits are
    /// tabs without anything below: what was below one comes beside the split.
    private func moveUp(_ changes: inout SessionChanges) {
        let places = places
        let splits = Set(session.nodes.filter { $0.kind == .split }.map(\.id))
        let children = places.filter { id, place in
            !leaving.contains(id) && place.parent.map(leaving.contains) == true
        }
        var moved: [Place: [(id: NodeID, old: OrderKey)]] = [:]
        for (id, place) in children {
            var anchor = place
            while let parent = anchor.parent, leaving.contains(parent) || splits.contains(parent),
                let above = places[parent]
            {
                anchor = above
            }
            moved[anchor, default: []].append((id, place.key))
        }
        for (anchor, list) in moved {
            let next = places.values.filter {
                $0.parent == anchor.parent && $0.edge == anchor.edge && $0.zone == anchor.zone
                    && anchor.key < $0.key
            }.map(\.key).min()
            var last = anchor.key
            for (id, _) in list.sorted(by: { ($0.old, $0.id) < ($1.old, $1.id) }) {
                last = .between(last, and: next)
                var place = anchor
                place.key = last
                put(id, at: place, in: &changes)
            }
        }
    }

    private func put(_ id: NodeID, at place: Place, in changes: inout SessionChanges) {
        if var tab = session.tabs.first(where: { NodeID($0.id) == id }) {
            (tab.parent, tab.edge, tab.zone, tab.place) =
                (place.parent, place.edge, place.zone, place.key)
            changes.put(tab, in: session.id)
        } else if var node = session.nodes.first(where: { $0.id == id }) {
            (node.parent, node.edge, node.zone, node.place) =
                (place.parent, place.edge, place.zone, place.key)
            changes.put(node, in: session.id)
        }
    }
}
