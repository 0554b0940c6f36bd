import BrowserSessions

extension ConformanceSuite {
    /// The order of the forest.
    @SuiteBuilder static var structureOrder: [SuiteEntry] {
        SuiteEntry(
            "STRUCTURE-3", .must,
            """
            Tabs and nodes come back depth first: each node, its members, and then its branches; among \
            siblings essential ones first, then pinned ones, then by place and by id.
            """
        )
        .tried("forests of every kind, put in any order") { context in
            for forest in OrderedForest.all {
                var generator = context.generator
                try await context.reopeningIfPossible { store in
                    let changes = forest.changes.shuffled(using: &generator)
                    _ = try await store.save(SessionChanges(all: changes))
                } check: { store in
                    try await store.requireOutline(
                        forest.lines, of: OrderedForest.session, forest.name)
                }
            }
        }
        .catches("lists-tabs-by-place", says: "the order of tabs") {
            $0.restoring { $0.tabs.sort { $0.place < $1.place } }
        }
        .catches("lists-nodes-by-id", says: "the order of nodes") {
            $0.restoring { $0.nodes.sort { $0.id < $1.id } }
        }
        .catches("has-no-branches", says: "a tree of tabs: the forest") {
            $0.puttingTabs { if $0.edge == .branch { ($0.parent, $0.edge) = (nil, .member) } }
        }
        SuiteEntry(
            "STRUCTURE-4", .must,
            "A node that moves takes along everything below it, by its own record alone."
        )
        .tried("a folder in and out of another, and below a tab", moves)
        .catches("leaves-members-where-they-were", says: "the forest") {
            $0.before(SaveRequest.self) { save, store in
                // Takes the tabs of a node that is put again to the top.
                if save.changes.changes.count == 1,
                    case .put(.node(let node, let session)) = save.changes.changes[0]
                {
                    for var tab in try await store.restore(session)?.tabs ?? []
                    where tab.group == node.id {
                        tab.group = nil
                        save.changes.put(tab, in: session)
                    }
                }
            }
        }
    }

    @Sendable private static func moves(_ context: CaseContext) async throws {
        let forest = PlainForest.session()
        try await context.reopeningIfPossible { store in
            _ = try await store.save(forest.changes)
            try await store.requireOutline(PlainForest.outline, of: forest.id, "before the moves")
            for move in ForestMove.all {
                _ = try await store.save(SessionChanges(move.change))
                try await store.requireOutline(move.lines, of: forest.id, move.name)
            }
        } check: { store in
            let last = ForestMove.all.last?.lines ?? []
            try await store.requireOutline(last, of: forest.id, "after all moves")
        }
    }
}

/// A move of one node of ``PlainForest``, after those before it.
private struct ForestMove {
    let name: String
    let change: SessionChanges.Change
    let lines: [String]

    init(_ name: String, _ node: StructureNode, _ lines: [String]) {
        self.name = name
        change = .put(node, in: PlainForest.session().id)
        self.lines = lines
    }

    static let all: [ForestMove] = [
        ForestMove(
            "a folder to the end", Plain.node(1, at: 30),
            [
                "t5", " t6", "  t7", "n4", " t9", " t8", "n5", "n6", "n1", " t1", " n2", "  t2",
                " n3", "  t3", "  t4",
            ]),
        ForestMove(
            "a folder below a tab", Plain.node(1, at: 0, in: Plain.id(ofTab: 7), edge: .branch),
            [
                "t5", " t6", "  t7", "   n1", "    t1", "    n2", "     t2", "    n3", "     t3",
                "     t4", "n4", " t9", " t8", "n5", "n6",
            ]),
        ForestMove(
            "a folder into a space", Plain.node(1, at: 0, in: Plain.id(4), zone: .pinned),
            [
                "t5", " t6", "  t7", "n4", " n1", "  t1", "  n2", "   t2", "  n3", "   t3", "   t4",
                " t9", " t8", "n5", "n6",
            ]),
        ForestMove(
            "a split out of its folder", Plain.node(3, .split, at: 1),
            [
                "n3", " t3", " t4", "t5", " t6", "  t7", "n4", " n1", "  t1", "  n2", "   t2",
                " t9", " t8", "n5", "n6",
            ]),
    ]
}

/// A forest with the lines in which it must come back.
private struct OrderedForest {
    static let session = Plain.session(4)
    let name: String
    let changes: [SessionChanges.Change]
    let lines: [String]

    init(
        _ name: String, _ tabs: [TabMetadata], _ nodes: [StructureNode] = [],
        lines: [String]
    ) {
        self.name = name
        changes =
            tabs.map { .put($0, in: Self.session) }
            + nodes.map { .put($0, in: Self.session) }
        self.lines = lines
    }

    static let all: [OrderedForest] = [
        OrderedForest(
            "a tree of tabs",
            [
                Plain.tab(1, at: 50, in: nil),
                Plain.tab(2, at: 9, in: Plain.id(ofTab: 1), edge: .branch),
                Plain.tab(3, at: 5, in: Plain.id(ofTab: 1), edge: .branch),
                Plain.tab(4, at: 1, in: Plain.id(ofTab: 2), edge: .branch),
                Plain.tab(5, at: 20, in: nil),
            ], lines: ["t5", "t1", " t3", " t2", "  t4"]),
        OrderedForest(
            "zones at the top",
            [
                Plain.tab(1, at: 1, in: nil), Plain.tab(2, at: 5, in: nil, zone: .pinned),
                Plain.tab(3, at: 9, in: nil, zone: .essential),
                Plain.tab(4, at: 4, in: nil, zone: .pinned),
            ], [Plain.node(1, at: 7, zone: .essential), Plain.node(2, at: 0)],
            lines: ["n1", "t3", "t4", "t2", "n2", "t1"]),
        OrderedForest(
            "zones of tabs alone",
            [
                Plain.tab(1, at: 9, in: nil), Plain.tab(2, at: 3, in: nil, zone: .pinned),
                Plain.tab(3, at: 7, in: nil, zone: .essential),
            ], lines: ["t3", "t2", "t1"]),
        OrderedForest(
            "members before branches",
            [
                Plain.tab(1, at: 90, in: Plain.id(1)),
                Plain.tab(2, at: 1, in: Plain.id(1), edge: .branch),
                Plain.tab(3, at: 80, in: Plain.id(2)), Plain.tab(4, at: 81, in: Plain.id(2)),
                Plain.tab(5, at: 2, in: Plain.id(2), edge: .branch),
            ], [Plain.node(1, at: 9), Plain.node(2, .split, at: 3)],
            lines: ["n2", " t3", " t4", " t5", "n1", " t1", " t2"]),
        OrderedForest(
            "the zones of a space",
            [
                Plain.tab(1, at: 1, in: Plain.id(1)),
                Plain.tab(2, at: 9, in: Plain.id(1), zone: .pinned),
                Plain.tab(3, at: 10, in: Plain.id(1), zone: .essential),
            ],
            [Plain.node(1, .space, at: 1), Plain.node(2, at: 0, in: Plain.id(1), zone: .pinned)],
            lines: ["n1", " t3", " n2", " t2", " t1"]),
    ]
}
