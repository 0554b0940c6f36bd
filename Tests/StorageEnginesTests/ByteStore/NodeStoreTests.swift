import Expectations

@testable import BrowserSessions
@testable import StorageEngines

/// Nodes that were damaged: what comes back of them, and what is refused then.
struct NodeStoreTests {
    private let fixture: StoreFixture
    private let window = SessionID(window: WindowID(high: 1, low: 1))
    private let other = SessionID(window: WindowID(high: 1, low: 2))
    private static let places = OrderKey.evenlySpaced(count: 400)

    private static func id(_ number: UInt64) -> NodeID { NodeID(high: 1, low: number) }

    init() throws { fixture = try StoreFixture() }

    private func tab(
        _ number: UInt64, _ place: Int, in parent: UInt64? = nil, edge: NodeEdge = .member
    ) -> TabMetadata {
        var tab = TabMetadata(id: TabID(Self.id(number)), place: Self.places[place])
        (tab.parent, tab.edge) = (parent.map { Self.id($0) }, edge)
        tab.title = "tab \(number)"
        return tab
    }

    private func node(
        _ number: UInt64, _ kind: StructureNode.Kind = .group, _ place: Int,
        in parent: UInt64? = nil
    ) -> StructureNode {
        var node = StructureNode(
            id: Self.id(number), kind, place: Self.places[place],
            parent: parent.map { Self.id($0) }, name: "node \(number)")
        node.style = kind == .group ? "folder" : ""
        return node
    }

    private func set(_ changes: [SessionChanges.Change]) -> SessionChanges {
        var set = SessionChanges()
        for change in changes { set.add(change) }
        return set
    }

    private func save(_ changes: SessionChanges.Change...) throws {
        _ = try fixture.store.saveBlocking(set(changes))
    }

    /// A folder with a tab, a folder in it, and a split; a tab with a branch.
    private func saveForest() throws {
        try save(
            .put(node(10, .group, 5), in: window),
            .put(node(11, .group, 1, in: 10), in: window),
            .put(node(12, .split, 2, in: 10), in: window),
            .put(tab(1, 0, in: 10), in: window), .put(tab(2, 0, in: 11), in: window),
            .put(tab(3, 0, in: 12), in: window), .put(tab(4, 1, in: 12), in: window),
            .put(tab(5, 9), in: window), .put(tab(6, 0, in: 5, edge: .branch), in: window))
    }

    private func rows(_ session: RestoredSession?) -> [String] {
        (session?.forest.rows ?? []).map { row in
            String(repeating: " ", count: row.depth) + "\(row.id.low)"
        }
    }

    private func restored(_ id: SessionID? = nil) throws -> RestoredSession? {
        try fixture.store.restoreBlocking([id ?? window]).first
    }

    private static let forest = ["10", " 1", " 11", "  2", " 12", "  3", "  4", "5", " 6"]

    private func refused(_ subject: NodeID, _ changes: SessionChanges.Change...) {
        var set = SessionChanges()
        for change in changes { set.add(change) }
        let error = expect(throws: StorageError.self) { try fixture.store.saveBlocking(set) }
        expect(error?.code, is: .invalidChanges)
        guard case .record(let item, _)? = error?.subject else {
            recordIssue("no node is named")
            return
        }
        expect(item.nodeID, is: subject)
    }

    @Test("A damaged node comes back with the name and the place that it had at the restore point")
    func earlier() throws {
        try saveForest()
        try fixture.reopen()
        var moved = node(11, .group, 300)
        moved.name = "later"
        try save(.put(moved, in: window), .put(node(13, .group, 9, in: 11), in: window))
        try fixture.store.closeBlocking()
        for number in [11, 13] as [UInt64] {
            let key = RecordKey.record(.node(Self.id(number)), in: window).bytes
            try fixture.edit { $0[.metadata]?[key]?[20] ^= 1 }
        }
        // What was lost stays so, and is reported until it is accepted.
        for _ in 1...2 {
            try fixture.open()
            let session = try require(try restored())
            expect(rows(session) == Self.forest && session.repairs == [])
            expect(session.nodes.map(\.name), is: ["node 10", "node 11", "node 12"])
            expect(Set(session.losses.map(\.kind)), is: [.nodeReplacedByEarlier, .node])
            expect(Set(session.losses.map(\.node)), is: Set([11, 13].map { Self.id($0) }))
            expect(session.provenance, is: .salvaged)
            try fixture.store.closeBlocking()
        }
        try fixture.open()
        _ = try fixture.store.checkBlocking(.repair)
        expect(rows(try restored()), is: Self.forest)
        expect(try restored()?.losses == [])
    }

    /// Damages the record of a node of the window.
    private func lose(_ number: UInt64) throws {
        try fixture.store.closeBlocking()
        let key = RecordKey.record(.node(Self.id(number)), in: window).bytes
        try fixture.edit { $0[.metadata]?[key]?[20] ^= 1 }
        try fixture.open()
    }

    @Test("A repair that leaves a list of tabs needs no other")
    func repairedOnce() throws {
        var split = node(10, .split, 5)
        split.zone = .pinned
        try save(
            .put(split, in: window), .put(tab(1, 0, in: 10), in: window),
            .put(tab(2, 1), in: window))
        expect(rows(try restored()), is: ["1", "2"])
        _ = try fixture.store.checkBlocking(.repair)
        expect(try restored()?.repairs == [] && rows(try restored()) == ["1", "2"])
    }

    @Test("Children of a node elsewhere that go with their session do not stay behind")
    func childrenInARemovedSession() throws {
        try save(.put(node(10, .group, 5), in: window), .put(tab(1, 0, in: 10), in: window))
        try lose(10)
        try save(.put(node(10, .group, 5), in: other))
        refused(Self.id(10), .remove(Self.id(10), from: other))
        try save(.remove(window), .remove(Self.id(10), from: other))
        expect(try fixture.store.sessionsBlocking().isEmpty)
    }

    @Test(
        "What names a node of another session is put into a group of its own, and takes nothing from there"
    )
    func parentElsewhere() throws {
        var folder = node(20, .group, 1)
        folder.style = "folder"
        try save(
            .put(node(10, .group, 5), in: window), .put(tab(1, 0, in: 10), in: window),
            .put(folder, in: window))
        try lose(10)
        try save(.put(node(10, .group, 5), in: other), .put(tab(2, 0, in: 10), in: other))
        for isRepaired in [false, true] {
            if isRepaired { _ = try fixture.store.checkBlocking(.repair) }
            expect(rows(try restored()), is: ["20", "11", " 1"])
            expect(rows(try restored(other)), is: ["10", " 2"])
            expect(try restored(other)?.nodes.map(\.name) == ["node 10"])
            expect(try restored()?.repairs.map(\.kind) == (isRepaired ? [] : [.groupAdded]))
        }
    }

    @Test(
        "Each change of a forest writes as many records as it names, and nothing about what is below"
    )
    func records() throws {
        try saveForest()
        _ = fixture.engine.takeJournal()
        var pinned = node(10, .group, 5)
        pinned.zone = .pinned
        var wide = tab(3, 0, in: 12)
        wide.weight = 3
        var folded = tab(5, 9)
        folded.isFolded = true
        let steps: [(records: Int, changes: [SessionChanges.Change])] = [
            (1, [.put(pinned, in: window)]),
            (1, [.put(wide, in: window)]),
            (1, [.put(folded, in: window)]),
            // Out of a group, below a tab, and with what is below it into another group.
            (1, [.put(tab(1, 20), in: window)]),
            (1, [.put(tab(1, 1, in: 5, edge: .branch), in: window)]),
            (1, [.put(node(12, .split, 9, in: 11), in: window)]),
            // A new group of two, and the end of it.
            (
                3,
                [
                    .put(node(20, .group, 30), in: window),
                    .put(tab(1, 0, in: 20), in: window), .put(tab(2, 1, in: 20), in: window),
                ]
            ),
            (
                3,
                [
                    .remove(Self.id(20), from: window),
                    .put(tab(1, 30), in: window), .put(tab(2, 31), in: window),
                ]
            ),
        ]
        for step in steps {
            _ = try fixture.store.saveBlocking(set(step.changes))
        }
        // And one that says what the records are.
        let journal = fixture.engine.takeJournal()
        expect(journal.writes.map(\.operations), is: steps.map { $0.records + 1 })
        expect(journal.reads == 0 && journal.scans == 0)
    }
}
