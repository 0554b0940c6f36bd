import BrowserSessions

/// STRUCTURE-11: a store with one damaged node, and nothing else.
struct DamagedNode {
    /// As it is saved, under a name by which it is found in files.
    private let node: StructureNode
    private let context: CaseContext
    private let location: String
    private static let forest = PlainForest.session()

    /// Damages a node of each kind in turn.
    static func each(_ context: CaseContext) async throws {
        var tried = 0
        for node in forest.nodes {
            let trial = try await DamagedNode(context, node)
            guard try LocationFiles.flip([UInt8](trial.node.name.utf8), below: trial.location)
            else { continue }
            tried += 1
            context.trying("a damaged \(node.kind.rawValue)")
            try await trial.requireOneLoss()
        }
        if tried == 0 { throw NotTried("the names of nodes are in no file as they were saved") }
    }

    /// Makes the store: the forest without the node, and in a later run the node in a set of its own, and
    /// then what is below it.
    private init(_ context: CaseContext, _ node: StructureNode) async throws {
        var named = node
        named.name = Self.name(of: node)
        (self.context, self.node) = (context, named)
        location = try await context.makeLocation()
        var forest = Self.forest
        forest.nodes.removeAll { $0.id == node.id }
        for index in forest.nodes.indices where forest.nodes[index].parent == node.id {
            forest.nodes[index].parent = nil
        }
        for index in forest.tabs.indices where forest.tabs[index].parent == node.id {
            forest.tabs[index].parent = nil
        }
        let below =
            Self.forest.nodes.filter { $0.id != node.id }.map {
                SessionChanges.Change.put($0, in: forest.id)
            } + Self.forest.tabs.map { .put($0, in: forest.id) }
        let attributes = SessionChanges(.put(.session(forest.id, forest.attributes)))
        let first = forest.changes
        let second = [
            SessionChanges(.put(named, in: forest.id)), SessionChanges(all: below), attributes,
        ]
        for sets in [[first], second] {
            try await context.withStore(at: location) { store in
                let durability = store.traits.greatestDurability
                for set in sets { _ = try await store.save(set, durability: durability) }
            }
        }
    }

    /// A name that is in no other record.
    private static func name(of node: StructureNode) -> String {
        "the name by which node \(node.id.low) is found, and by nothing else"
    }

    private func requireOneLoss() async throws {
        let what = "a damaged \(node.kind.rawValue)"
        try await context.withStore(at: location) { store in
            let found = try unwrap(
                try await store.restore(Self.forest.id), "\(what): the session is absent")
            try requireEqual(
                Set(found.tabs.map(\.id)), Set(Self.forest.tabs.map(\.id)), "\(what): the tabs")
            for tab in Self.forest.tabs {
                let other = found.tabs.first { $0.id == tab.id }
                try requireEqual(other?.title, tab.title, "\(what): the title of a tab")
            }
            // A store may have another copy, or be able to correct the bit.
            if found.nodes.contains(node) { return }
            let losses = found.losses + (try await store.check().losses)
            try require(
                losses.contains { $0.kind == .node && $0.session == Self.forest.id }
                    || losses.contains { $0.kind == .unknownRecords }, "\(what): no loss says so")
            try requireOthers(in: found, what)
            try requireTogether(found, what)
            try await requireUsable(found, in: store, what)
        }
    }

    /// Requires that what is below the node, and what replaces it, can be changed as any other.
    private func requireUsable(
        _ found: RestoredSession, in store: any SessionStorage, _ what: String
    ) async throws {
        let tabs = found.tabs.filter { $0.parent == node.id }
        let nodes = found.nodes.filter { $0.parent == node.id }
        for change in tabs.map({ SessionChanges.Change.put($0, in: found.id) })
            + nodes.map({ .put($0, in: found.id) })
        {
            try await requireSuccess("\(what): what is below it cannot be saved") {
                try await store.save(SessionChanges(change))
            }
        }
        guard var made = found.nodes.first(where: { $0.id == node.id }) else { return }
        made.name = "Named again"
        try await requireSuccess("\(what): what replaces it cannot be renamed") {
            try await store.save(SessionChanges(.put(made, in: found.id)))
        }
        let again = try await store.restore(found.id)
        let name = again?.nodes.first { $0.id == made.id }?.name
        try requireEqual(name, made.name, "\(what): the new name of what replaces it")
    }

    /// Requires that all other nodes are as they were saved, wherever they are.
    private func requireOthers(in found: RestoredSession, _ what: String) throws {
        for other in Self.forest.nodes where other.id != node.id {
            let same = try unwrap(
                found.nodes.first { $0.id == other.id }, "\(what): another node is lost, too")
            try requireEqual(same.name, other.name, "\(what): the name of another node")
            try requireEqual(same.kind, other.kind, "\(what): the kind of another node")
        }
    }

    /// Requires that members that can be in a group are in one, and others at the top, with what is
    /// below them.
    private func requireTogether(_ found: RestoredSession, _ what: String) throws {
        for tab in Self.forest.tabs where tab.parent == node.id {
            let parent = found.tabs.first { $0.id == tab.id }?.parent
            try requireEqual(
                parent, tab.zone == .normal ? node.id : nil,
                "\(what): what was in it is together, the parent of a tab")
        }
        for child in Self.forest.nodes where child.parent == node.id {
            let parent = found.nodes.first { $0.id == child.id }?.parent
            try requireEqual(
                parent, node.id, "\(what): what was in it is together, the parent of a node")
        }
    }
}
