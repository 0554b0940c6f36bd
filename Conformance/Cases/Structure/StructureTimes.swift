import BrowserSessions

extension ConformanceSuite {
    /// Sets that are made to take long.
    @SuiteBuilder static var structureTimes: [SuiteEntry] {
        SuiteEntry(
            "STRUCTURE-9", .must,
            """
            No set of nodes takes long to save, to refuse or to restore: not one with a chain or a circle \
            of many parents, with very many children, places or identifiers that are the same, or links \
            and weights that mean nothing.
            """
        )
        .tried("chains, circles and doubles are refused", timeLimit: .seconds(300)) { context in
            let count = context.amount(20_000, full: 100_000)
            try await context.withNewStore { store in
                for (name, changes) in HostileForest.refused(count) {
                    try await requireRefused(changes, name, by: store, within: limit(context))
                }
                let left = try await store.sessions()
                try requireEqual(left.count, 0, "the sessions after what was refused")
            }
        }
        .tried("many children, links and weights are kept", timeLimit: .seconds(300)) { context in
            let count = context.amount(2_000, full: 20_000)
            let limit = limit(context)
            for forest in HostileForest.accepted(count) {
                try await context.withNewStore { store in
                    for changes in forest.sets {
                        _ = try await timed(forest.name, "saving", within: limit) {
                            () throws(StorageError) in
                            try await store.save(changes, durability: .memory)
                        }
                    }
                    let found = try await timed(forest.name, "restoring", within: limit) {
                        () throws(StorageError) in try await store.restore(HostileForest.session)
                    }
                    try requireEqual(
                        found?.tabs.count ?? 0, forest.tabs, "\(forest.name): the tabs")
                    try requireEqual(
                        found?.nodes.count ?? 0, forest.nodes, "\(forest.name): the nodes")
                    let isSound = found?.tabs.allSatisfy { $0.weight >= 0 } ?? true
                    try require(isSound, "\(forest.name): a weight is negative")
                }
            }
        }
        .catches("walks-up-from-each-node", says: "still waits") {
            $0.refused { save, _, error in
                guard save.changes.changes.count < 10_000 else { return try await neverEnds() }
                throw error
            }
        }
        .catches("drops-nodes-of-one-place", says: "many groups of one tab: the nodes") {
            $0.restoring { session in
                var places: Set<OrderKey> = []
                session.nodes.removeAll { !places.insert($0.place).inserted }
            }
        }
    }

    /// What no set of this group may take longer than, on a slow machine and without optimization.
    private static func limit(_ context: CaseContext) -> Duration {
        .seconds(context.amount(20, full: 100))
    }

    private static func timed<Success: Sendable>(
        _ name: String, _ what: String, within limit: Duration,
        _ call: @escaping @Sendable () async throws(StorageError) -> Success
    ) async throws -> Success {
        do {
            return try await outcome(of: "\(name): \(what)", within: limit, call).get()
        } catch let error as StorageError {
            throw Violation("\(name): \(what) threw .\(error.code.rawValue): \(error.full)")
        }
    }

    private static func requireRefused(
        _ changes: SessionChanges, _ name: String, by store: any SessionStorage,
        within limit: Duration
    ) async throws {
        let result = try await outcome(of: "\(name): a save", within: limit) {
            () throws(StorageError) in
            try await store.save(changes, durability: .memory)
        }
        try await requireError(.invalidChanges, from: name) { _ = try result.get() }
    }
}

/// Does not return until the task is cancelled, as work that grows with the square of a large number.
private func neverEnds() async throws(StorageError) -> SaveReceipt {
    let (stream, _) = AsyncStream<SaveReceipt>.makeStream()
    for await receipt in stream { return receipt }
    throw StorageError(.cancelled, "it took too long")
}

/// Sets of many nodes that are made to take long.
private struct HostileForest {
    static let session = Plain.session(6)
    let name: String
    let sets: [SessionChanges]
    /// How many tabs and nodes come back.
    let tabs: Int
    let nodes: Int

    private init(
        _ name: String, tabs: Int = 0, nodes: Int, _ sets: [SessionChanges.Change]...
    ) {
        self.name = name
        self.sets = sets.map { SessionChanges(all: $0) }
        (self.tabs, self.nodes) = (tabs, nodes)
    }

    static func refused(_ count: Int) -> [(String, SessionChanges)] {
        let chain = PlainForest.chain(1, count: count, in: session)
        let circle = PlainForest.chain(1, count: count, in: session, below: Plain.id(count))
        let double = [SessionChanges.Change](
            repeating: .put(Plain.node(1, at: 1), in: session), count: count)
        return [
            ("a chain of parents", SessionChanges(all: chain)),
            ("a chain of parents, the last one first", SessionChanges(all: chain.reversed())),
            ("a circle of parents", SessionChanges(all: circle)),
            ("one node many times", SessionChanges(all: double)),
        ]
    }

    static func accepted(_ count: Int) -> [HostileForest] {
        [children(count), families(count), samePlace(count), links(count), weights]
    }

    /// One group with all tabs, moved, emptied and filled.
    private static func children(_ count: Int) -> HostileForest {
        let tabs = (0..<count).map {
            SessionChanges.Change.put(Plain.tab($0, at: $0 % 999, in: Plain.id(1)), in: session)
        }
        return HostileForest(
            "many children of one node", tabs: count, nodes: 1,
            [.put(Plain.node(1, at: 1), in: session)] + tabs,
            [.put(Plain.node(1, at: 2), in: session)],
            (0..<count).map { .remove(Plain.tab($0).id, from: session) }
                + [.remove(Plain.id(1), from: session)],
            [.put(Plain.node(1, at: 1), in: session)] + tabs)
    }

    /// Many groups with a tab each, which move to another session and back in two sets.
    private static func families(_ count: Int) -> HostileForest {
        func set(in session: SessionID) -> [SessionChanges.Change] {
            (0..<count).flatMap { number -> [SessionChanges.Change] in
                [
                    .put(Plain.node(number, at: number % 999), in: session),
                    .put(Plain.tab(number, at: 1, in: Plain.id(number)), in: session),
                ]
            }
        }
        return HostileForest(
            "many groups of one tab", tabs: count, nodes: count, set(in: session),
            set(in: Plain.session(7)), set(in: session))
    }

    private static func samePlace(_ count: Int) -> HostileForest {
        HostileForest(
            "siblings at one place", tabs: count, nodes: count,
            (0..<count).flatMap { number -> [SessionChanges.Change] in
                [
                    .put(Plain.node(number, at: 5), in: session),
                    .put(Plain.tab(number, at: 5, in: nil), in: session),
                ]
            })
    }

    private static func links(_ count: Int) -> HostileForest {
        HostileForest(
            "links to nowhere", nodes: count,
            (0..<count).map { number in
                var node = Plain.node(number, number.isMultiple(of: 2) ? .view : .space, at: number)
                (node.link, node.container) = (Plain.id(number + 1), Plain.id(count + number))
                node.active = Plain.tab(number).id
                return .put(node, in: session)
            })
    }

    private static let weights: HostileForest = {
        let all: [Int32] = [0, .min, .min + 1, -1, 1, .max, 0]
        let panes = all.enumerated().map { number, weight in
            var tab = Plain.tab(number, at: number, in: Plain.id(1))
            tab.weight = weight
            return SessionChanges.Change.put(tab, in: session)
        }
        return HostileForest(
            "weights that mean nothing", tabs: all.count, nodes: 1,
            [.put(Plain.node(1, .split, at: 1), in: session)] + panes)
    }()
}
