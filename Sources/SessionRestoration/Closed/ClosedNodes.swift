import BrowserModel
import BrowserSessions

/// The groups, splits and other nodes that ended because tabs in them were closed.
///
/// Each is kept as long as a closed tab was below it, and comes back with the first one of these.
struct ClosedNodes {
    private var nodes: [NodeID: StructureNode] = [:]

    subscript(id: NodeID) -> StructureNode? { nodes[id] }

    var isEmpty: Bool { nodes.isEmpty }

    /// Keeps a node that ended. Its `closedFrom` says where it was.
    mutating func keep(_ node: StructureNode) { nodes[node.id] = node }

    /// Keeps the nodes that others kept.
    mutating func keep(_ others: ClosedNodes) { nodes.merge(others.nodes) { _, new in new } }

    mutating func remove(_ ids: Set<NodeID>) { for id in ids { nodes[id] = nil } }

    /// Takes what sites left out of the nodes, and returns those that changed.
    mutating func redact(_ sites: ForgottenSites) -> Set<NodeID> {
        var changed: Set<NodeID> = []
        for (id, node) in nodes {
            var node = node
            guard sites.redact(&node) else { continue }
            nodes[id] = node
            changed.insert(id)
        }
        return changed
    }

    /// The identifiers of the nodes.
    var ids: Set<NodeID> { Set(nodes.keys) }

    /// Returns the nodes that a place was below, as far as they are kept, nearest first.
    ///
    /// - Parameter tabs: the closed tabs that it may have been below.
    func above(
        _ place: FormerPlace, _ tabs: [NodeID: FormerPlace] = [:]
    ) -> [StructureNode] {
        path(from: place, tabs).compactMap { nodes[$0] }
    }

    /// Returns the closed nodes and tabs that a place was below, nearest first.
    private func path(from place: FormerPlace, _ tabs: [NodeID: FormerPlace]) -> [NodeID] {
        var path: [NodeID] = []
        var next = place.parent
        while let id = next, let former = nodes[id]?.closedFrom ?? tabs[id], !path.contains(id) {
            path.append(id)
            next = former.parent
        }
        return path
    }

    /// Returns the nodes that closed tabs were in or below, at any depth.
    private func held(by tabs: [NodeID: FormerPlace]) -> Set<NodeID> {
        Set(tabs.values.flatMap { path(from: $0, tabs) }).intersection(ids)
    }

    /// Returns the nodes without closed tabs by what they were in or below: they come back with that.
    func emptyNodes(_ tabs: [NodeID: FormerPlace]) -> [NodeID: [StructureNode]] {
        guard !nodes.isEmpty else { return [:] }
        let held = held(by: tabs)
        var found: [NodeID: [StructureNode]] = [:]
        for node in nodes.values.sorted(by: { $0.id < $1.id }) where !held.contains(node.id) {
            if let parent = node.closedFrom?.parent { found[parent, default: []].append(node) }
        }
        return found
    }

    /// Returns the nodes that no closed tab was in or below, and that were in or below no such node or tab.
    func unneeded(by tabs: [NodeID: FormerPlace]) -> Set<NodeID> {
        guard !nodes.isEmpty else { return [] }
        let held = held(by: tabs)
        return ids.filter { id in
            guard !held.contains(id), let former = nodes[id]?.closedFrom else { return false }
            return !path(from: former, tabs).contains { held.contains($0) || tabs[$0] != nil }
        }
    }

    /// Returns where a closed tab that was read had been. What it does not say itself is what the nodes say
    /// that it is below.
    func place(of tab: TabMetadata) -> FormerPlace {
        var former = tab.closedFrom ?? FormerPlace()
        if tab.closedFrom == nil || former.parent == nil && tab.parent != nil {
            (former.parent, former.edge, former.zone) = (tab.parent, tab.edge, tab.zone)
            (former.place, former.weight) = (tab.place, tab.weight)
        }
        for node in above(former).compactMap(\.closedFrom) {
            if former.session.isEmpty { former.session = node.session }
            if former.time == .unknown { former.time = node.time }
            if former.batch == nil { former.batch = node.batch }
        }
        return former
    }

    /// The records to store, each below what it was in if that is kept, too.
    var stored: [StructureNode] {
        nodes.values.sorted { $0.id < $1.id }.map { node in
            var record = node
            guard let former = node.closedFrom else { return record }
            (record.zone, record.weight) = (former.zone, former.weight)
            if let place = former.place { record.place = place }
            if let parent = former.parent, nodes[parent] != nil {
                (record.parent, record.edge) = (parent, former.edge)
            } else {
                (record.parent, record.edge, record.zone) = (nil, .member, .normal)
            }
            return record
        }
    }
}

extension StructureNode {
    /// A closed node that was read, which says where it was.
    var closed: StructureNode {
        var node = self
        var former = closedFrom ?? FormerPlace()
        if closedFrom == nil || former.parent == nil && parent != nil {
            (former.parent, former.edge, former.zone) = (parent, edge, zone)
            (former.place, former.weight) = (place, weight)
        }
        node.closedFrom = former
        return node
    }
}
