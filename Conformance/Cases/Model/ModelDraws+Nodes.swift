import BrowserSessions
import SessionSamples

/// Draws of nodes, and of tabs below them.
extension ModelDraws {
    private static let places = OrderKey.evenlySpaced(count: 60)

    /// Whether a set contradicts nothing and, mostly, breaks no rule of the forest.
    mutating func isWanted(_ changes: [SessionChanges.Change]) -> Bool {
        guard !StoreModel.contradicts(changes) else { return false }
        guard let drawn else { return true }
        guard drawn.breaksForest(SessionChanges(all: changes)) else { return true }
        return generator.chance(1, in: 5)
    }

    /// Whether a tab would be a member of what is not there, which refuses the whole set.
    func isLostMember(_ changes: [SessionChanges.Change]) -> Bool {
        guard var after = drawn else { return false }
        after.apply(SessionChanges(all: changes), nil)
        return changes.contains { change in
            guard case .put(.tab(let tab, let session)) = change, let parent = tab.parent else {
                return false
            }
            return after.nodes[session.partition]?[parent] == nil
                && after.homes[session.partition]?[TabID(parent)] == nil
        }
    }

    /// Notes a set, for those that follow.
    mutating func noteDrawn(_ changes: [SessionChanges.Change]) {
        let set = SessionChanges(all: changes)
        if drawn?.refusals(of: set).isEmpty == true { drawn?.apply(set, nil) }
    }

    mutating func noteDeletedIncognito() { drawn?.deleteIncognito() }

    /// Returns a change of a node, or those of a node and all or some below it.
    mutating func nodeChange(in partition: StoragePartition) -> [SessionChanges.Change] {
        let id = generator.pick(ModelNames.nodes)
        let session = session(partition)
        switch generator.integer(in: 0...9) {
        case 0...4: return [.put(node(id), in: session)]
        case 5:
            return [.put(node(id), in: session), .remove(id, from: self.session(partition))]
        case 6: return [.remove(id, from: home(of: id, partition) ?? session)]
        case 7 where home(of: id, partition) != nil: return removal(of: id, in: partition)
        case 8 where home(of: id, partition) != nil: return move(of: id, to: session)
        default: return [.put(metadata(generator.pick(ModelNames.tabs)), in: session)]
        }
    }

    private func home(of id: NodeID, _ partition: StoragePartition) -> SessionID? {
        drawn?.nodes[partition]?[id]?.session ?? drawn?.homes[partition]?[TabID(id)]?.session
    }

    /// Removes a node, and what is below it; sometimes one of that stays.
    private mutating func removal(of top: NodeID, in partition: StoragePartition)
        -> [SessionChanges.Change]
    {
        var changes: [SessionChanges.Change] = []
        for id in subtree(of: top, partition) {
            guard let home = home(of: id, partition) else { continue }
            let isTab = drawn?.homes[partition]?[TabID(id)] != nil
            changes.append(isTab ? .remove(TabID(id), from: home) : .remove(id, from: home))
        }
        if changes.count > 1, generator.chance(1, in: 5) { changes.removeLast() }
        return changes
    }

    /// Moves a node, and what is below it, to a session; sometimes one of that stays.
    private mutating func move(of top: NodeID, to session: SessionID) -> [SessionChanges.Change] {
        let partition = session.partition
        var changes: [SessionChanges.Change] = []
        for id in subtree(of: top, partition) {
            if var node = drawn?.nodes[partition]?[id]?.node {
                if id == top { (node.parent, node.edge) = (nil, .member) }
                changes.append(.put(node, in: session))
            } else if var tab = drawn?.homes[partition]?[TabID(id)]?.tab {
                if id == top { (tab.parent, tab.edge) = (nil, .member) }
                changes.append(.put(tab, in: session))
            }
        }
        if changes.count > 1, generator.chance(1, in: 5) { changes.removeLast() }
        return changes
    }

    private func subtree(of top: NodeID, _ partition: StoragePartition) -> [NodeID] {
        var found = [top]
        var next = 0
        while next < found.count, found.count < 40 {
            found += drawn?.elements(below: found[next], partition) ?? []
            next += 1
        }
        return found
    }

    // MARK: - Records

    private mutating func node(_ id: NodeID) -> StructureNode {
        let kinds: [StructureNode.Kind] = [
            .group, .group, .group, .split, .space, .view, .container, .init(rawValue: "shelf"),
        ]
        var node = StructureNode(id: id, generator.pick(kinds), place: generator.pick(Self.places))
        let kind = node.kind
        node.visitFields(&self)
        node.kind = kind
        node.style = generator.pick(["", "folder"])
        (node.edge, node.zone) = (.member, .normal)
        node.isCollapsed = generator.chance(1, in: 2)
        (node.parent, node.edge, node.zone) = whereabouts(isRoot: kind != .group && kind != .split)
        return node
    }

    /// Puts a tab at the top, into a node, or below another one.
    mutating func putAnywhere(_ tab: inout TabMetadata) {
        tab.place = generator.pick(Self.places)
        (tab.parent, tab.edge, tab.zone) = whereabouts(isRoot: false)
        if generator.chance(1, in: 20) { tab.weight = -tab.weight }
    }

    private mutating func whereabouts(isRoot: Bool) -> (NodeID?, NodeEdge, NodeZone) {
        let zone: NodeZone =
            generator.chance(1, in: 6) ? generator.pick([.pinned, .essential]) : .normal
        switch generator.integer(in: 0...9) {
        case 0...3 where !isRoot || generator.chance(1, in: 8):
            return (generator.pick(ModelNames.nodes), .member, zone)
        case 4 where !isRoot: return (generator.pick(ModelNames.nodes), .branch, .normal)
        case 5...6 where !isRoot:
            return (NodeID(generator.pick(ModelNames.tabs)), .branch, .normal)
        default: return (nil, .member, zone)
        }
    }
}
