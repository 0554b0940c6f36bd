import BrowserSessions

extension ConformanceSuite {
    /// Nodes at restore points, and damaged nodes.
    @SuiteBuilder static var structureDamage: [SuiteEntry] {
        SuiteEntry(
            "STRUCTURE-10", .must,
            """
            At a restore point a regular session has the forest of that time, whatever moved, was removed \
            or went to another session since.
            """, needs: [.reopening, .restorePoints]
        )
        .tried("moved, renamed, emptied and removed since", forestsAtPoints)
        .tried("emptied of its tabs, with a new node", emptiedForest)
        .catches("has-no-nodes-at-points", says: "at the point: the number of nodes") {
            $0.on(RestoreRequest.self) { restore, store in
                var found = try await restore.perform(on: store)
                if restore.version != .current {
                    for index in found.indices { found[index].nodes = [] }
                }
                return found
            }
        }
        .catches("has-present-nodes-at-points", says: "at the point") {
            $0.on(RestoreRequest.self) { restore, store in
                var found = try await restore.perform(on: store)
                for index in found.indices where restore.version != .current {
                    found[index].nodes = try await store.restore(found[index].id)?.nodes ?? []
                }
                return found
            }
        }
        SuiteEntry(
            "STRUCTURE-11", .must,
            """
            Damage of one node costs that node alone, and a loss says so: everything below it comes back, \
            members together in a group of its identifier, or at the end, and can be saved.
            """, needs: [.files]
        )
        .tried("a node of each kind", timeLimit: .seconds(300)) { context in
            try await DamagedNode.each(context)
        }
        .catches("loses-what-is-below-lost-nodes", says: "the tabs") {
            $0.restoring { session in
                let added = Set(session.repairs.compactMap(\.node))
                session.tabs.removeAll { $0.parent.map(added.contains) == true }
            }
        }
        .catches("scatters-what-was-below-lost-nodes", says: "together") {
            $0.restoring { session in
                let added = session.repairs.filter { $0.kind == .groupAdded }.map(\.node)
                for index in session.tabs.indices where added.contains(session.tabs[index].parent) {
                    session.tabs[index].parent = nil
                }
            }
        }
        .catches("locks-what-is-below-lost-nodes", says: "cannot be saved") {
            $0.before(SaveRequest.self) { save, store in
                if save.changes.changes.count == 1,
                    case .put(.tab(let tab, let session)) = save.changes.changes[0],
                    let parent = tab.parent,
                    try await store.restore(session)?.repairs.contains(where: {
                        $0.node == parent
                    }) == true
                {
                    throw StorageError(.invalidChanges, "its parent is not there")
                }
            }
        }
        .catches("keeps-quiet-about-lost-nodes", says: "no loss says so") {
            $0.restoring { $0.losses.removeAll { $0.kind == .node } }
                .reporting { $0.losses.removeAll { $0.kind == .node } }
        }
    }

    @Sendable private static func forestsAtPoints(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let (one, other) = (PlainForest.session(), PlainForest.other())
        try await context.withStore(at: location) { store in
            _ = try await store.save(one.changes)
            _ = try await store.save(other.changes)
        }
        try await context.withStore(at: location) { store in
            let point = try unwrap(
                try await store.restorePoints().first, "a restore point is kept and none is listed")
            for (name, changes) in since {
                _ = try await store.save(SessionChanges(all: changes))
                for session in [one, other] {
                    let found = try unwrap(
                        try await store.restore(session.id, at: .point(point.id)),
                        "\(name) since, at the point: the session is absent")
                    try session.check(found, "\(name) since, at the point")
                    try requireEqual(
                        found.repairs.map(\.kind), [], "\(name) since, at the point: the repairs")
                }
            }
        }
    }

    /// A session that lost all its tabs is so at the newest restore point that has it, or as before.
    @Sendable private static func emptiedForest(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let one = PlainForest.session()
        var emptied = one
        (emptied.tabs, emptied.nodes) = ([], [Plain.node(40, .container, at: 1)])
        try await context.withStore(at: location) { _ = try await $0.save(one.changes) }
        try await context.withStore(at: location) { store in
            let removals = one.changes.changes.compactMap { change -> SessionChanges.Change? in
                switch change {
                case .put(.tab(let tab, let session)): .remove(tab.id, from: session)
                case .put(.node(let node, let session)): .remove(node.id, from: session)
                default: nil
                }
            }
            let set = SessionChanges(all: removals + [.put(emptied.nodes[0], in: one.id)])
            _ = try await store.save(set)
        }
        try await context.withStore(at: location) { store in
            try await emptied.check(in: store, "emptied")
            let found = try unwrap(
                try await store.restoreEarlier(one.id), "emptied, at the point: absent")
            do {
                try one.check(found, "emptied, at the point")
            } catch {
                try emptied.check(found, "emptied, at the point")
            }
        }
    }

    /// What happens after the point, one after the other.
    private static let since: [(String, [SessionChanges.Change])] = {
        let (here, there) = (Plain.session(1), Plain.session(2))
        var renamed = Plain.node(1, at: 30)
        renamed.name = "Renamed"
        return [
            ("a folder moved and renamed", [.put(renamed, in: here)]),
            (
                "a split to the other session",
                [
                    .put(Plain.node(3, .split, at: 9), in: there),
                    .put(Plain.tab(3, at: 0, in: Plain.id(3)), in: there),
                    .put(Plain.tab(4, at: 1, in: Plain.id(3)), in: there),
                ]
            ),
            (
                "a folder removed",
                [
                    .remove(Plain.id(2), from: here),
                    .put(Plain.tab(2, at: 40, in: nil), in: here),
                ]
            ),
            ("a container removed", [.remove(Plain.id(6), from: here)]),
            ("a node added", [.put(Plain.node(40, at: 3), in: here)]),
            ("both sessions removed", [.remove(here), .remove(there)]),
        ]
    }()
}
