import BrowserSessions

extension ConformanceSuite {
    /// Forests that need repair.
    @SuiteBuilder static var structureRepairs: [SuiteEntry] {
        SuiteEntry(
            "STRUCTURE-7", .must,
            """
            A forest that breaks a rule which no save can check comes back with every tab, put right and \
            with each repair named; saved back as it was restored, it needs none. In a session that is \
            kept for later, a split of one pane and a group without members break none.
            """
        )
        .tried("one broken rule at a time") { context in
            for broken in BrokenForest.all {
                try await context.reopeningIfPossible { store in
                    for set in broken.sets {
                        try await requireSuccess("\(broken.name): the set was refused") {
                            try await store.save(set)
                        }
                    }
                } check: { store in
                    try await requireRepaired(broken, in: store)
                }
            }
        }
        .tried("saved back as restored") { context in
            for broken in BrokenForest.all {
                try await context.withNewStore { store in
                    for set in broken.sets { _ = try await store.save(set) }
                    let found = try unwrap(
                        try await store.restore(BrokenForest.session), "\(broken.name): absent")
                    _ = try await store.save(broken.savingBack(found))
                    let again = try unwrap(
                        try await store.restore(BrokenForest.session), "\(broken.name): absent")
                    try requireEqual(
                        again.repairs.map(\.kind), [], "\(broken.name): saved back, the repairs")
                    try requireEqual(again.tabs, found.tabs, "\(broken.name): saved back, the tabs")
                    try requireEqual(
                        again.nodes, found.nodes, "\(broken.name): saved back, the nodes")
                }
            }
        }
        .tried("parts of nodes that were closed") { context in
            try await context.reopeningIfPossible { store in
                _ = try await store.save(ClosedParts.changes)
            } check: { store in
                let found = try unwrap(
                    try await store.restore(ClosedParts.session), "closed parts: absent")
                try requireEqual(found.repairs.map(\.kind), [], "closed parts: the repairs")
                try requireEqual(found.outline, ClosedParts.lines, "closed parts: the forest")
            }
        }
        .catches("repairs-closed-splits", says: "closed parts: the repairs") {
            $0.restoring { session in
                for node in session.nodes
                where session.id.kind.role == .shelf && node.kind == .split {
                    session.repairs.append(SessionRepair(.splitOfOneRemoved, node: node.id))
                }
            }
        }
        .catches("repairs-forests-in-silence", says: "a split of one pane: the repairs") {
            $0.restoring { $0.repairs = [] }
        }
        .catches("drops-folders-without-members", says: "a folder, a space and a view") {
            $0.restoring { session in
                let used = Set(session.tabs.map(\.parent))
                session.nodes.removeAll { !used.contains($0.id) && $0.kind == .group }
            }
        }
        .catches("keeps-negative-weights", says: "negative weights: a weight") {
            $0.restoring { session in
                for repair in session.repairs where repair.kind == .weightReset {
                    for index in session.tabs.indices where session.tabs[index].id == repair.tab {
                        session.tabs[index].weight = -1
                    }
                }
            }
        }
        .catches("repairs-without-names", says: "names neither a tab nor a node") {
            $0.restoring { session in
                session.repairs = session.repairs.map { SessionRepair($0.kind) }
            }
        }
        .catches("repairs-weights-for-show", says: "saved back, the repairs") {
            $0.puttingTabs { if $0.parent == Plain.id(1) { $0.weight = -1 } }
        }
    }

    private static func requireRepaired(_ broken: BrokenForest, in store: any SessionStorage)
        async throws
    {
        let name = broken.name
        let found = try unwrap(try await store.restore(BrokenForest.session), "\(name): absent")
        try requireEqual(
            found.repairs.map(\.kind.rawValue).sorted(), broken.repairs.map(\.rawValue).sorted(),
            "\(name): the repairs")
        try require(
            found.repairs.allSatisfy { $0.tab != nil || $0.node != nil },
            "\(name): a repair names neither a tab nor a node")
        try requireEqual(found.outline, broken.lines, "\(name): the forest")
        try requireEqual(
            found.tabs.map { "t\($0.id.low)" } + found.nodes.map { "n\($0.id.low)" },
            found.listedOutline.filter { $0.hasPrefix("t") }
                + found.listedOutline.filter { $0.hasPrefix("n") }, "\(name): the lists")
        try require(found.tabs.allSatisfy { $0.weight >= 0 }, "\(name): a weight is negative")
        try requireEqual(found.provenance, .intact, "\(name): the provenance")
        try requireEqual(found.losses.count, 0, "\(name): the number of losses")
        let again = try await store.restore(BrokenForest.session)
        try require(again == found, "\(name): restored twice, it differs")
    }
}

/// Parts of a split and a group, as they are among recently closed tabs.
private enum ClosedParts {
    static let session = SessionID(
        window: WindowID(high: 7, low: 1), kind: .recentlyClosed)
    static let lines = ["n1", " t1", "n2", "t9"]

    static var changes: SessionChanges {
        var changes = SessionChanges()
        changes.put(Plain.node(1, .split, at: 0), in: session)
        changes.put(Plain.node(2, at: 1), in: session)
        changes.put(Plain.tab(1, at: 0, in: Plain.id(1)), in: session)
        changes.put(Plain.tab(9, at: 9, in: nil), in: session)
        return changes
    }
}

extension BrokenForest {
    /// Returns the set that saves a session back as it was restored, without the nodes that went.
    fileprivate func savingBack(_ found: RestoredSession) -> SessionChanges {
        var changes = ExpectedSession(
            id: found.id, attributes: found.attributes, tabs: found.tabs, nodes: found.nodes
        ).changes
        var kept = Set(found.nodes.map(\.id))
        for case .put(.node(let node, let session)) in sets.flatMap(\.changes)
        where kept.insert(node.id).inserted {
            changes.remove(node.id, from: session)
        }
        return changes
    }
}
