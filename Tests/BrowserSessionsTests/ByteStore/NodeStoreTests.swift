import Expectations

@testable import BrowserSessions
@testable import StorageEngines

/// Nodes in a store: what comes back, what is refused, what a change costs and what damage costs.
struct NodeStoreTests {
    private let fixture: StoreFixture
    private let window = SessionID(window: WindowID(high: 1, low: 1))
    private let other = SessionID(window: WindowID(high: 1, low: 2))
    private static let places = OrderKey.evenlySpaced(count: 400)

    init() throws { fixture = try StoreFixture() }

    private func tab(
        _ number: UInt64, _ place: Int, in parent: UInt64? = nil, edge: NodeEdge = .member
    ) -> TabMetadata {
        var tab = TabMetadata(id: TabID(ForestTests.id(number)), place: Self.places[place])
        (tab.parent, tab.edge) = (parent.map { ForestTests.id($0) }, edge)
        tab.title = "tab \(number)"
        return tab
    }

    private func node(
        _ number: UInt64, _ kind: StructureNode.Kind = .group, _ place: Int,
        in parent: UInt64? = nil
    ) -> StructureNode {
        var node = StructureNode(
            id: ForestTests.id(number), kind, place: Self.places[place],
            parent: parent.map { ForestTests.id($0) }, name: "node \(number)")
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
            .putNode(node(10, .group, 5), in: window),
            .putNode(node(11, .group, 1, in: 10), in: window),
            .putNode(node(12, .split, 2, in: 10), in: window),
            .putTab(tab(1, 0, in: 10), in: window), .putTab(tab(2, 0, in: 11), in: window),
            .putTab(tab(3, 0, in: 12), in: window), .putTab(tab(4, 1, in: 12), in: window),
            .putTab(tab(5, 9), in: window), .putTab(tab(6, 0, in: 5, edge: .branch), in: window))
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

    @Test func aForestComesBackAlsoAtARestorePoint() throws {
        try saveForest()
        expect(rows(try restored()), is: Self.forest)
        for _ in 1...2 {
            try fixture.reopen()
            let session = try #require(try restored())
            expect(rows(session) == Self.forest && session.repairs == [])
            expect(session.nodes.map(\.name), is: ["node 10", "node 11", "node 12"])
            expect(session.tabs.map(\.title), is: (1...6).map { "tab \($0)" })
        }
        try save(.removeSession(window))
        expect(try restored() == nil)
        expect(rows(try fixture.store.earlier(window)), is: Self.forest)
        expect(try fixture.store.checkBlocking().notes == [])
        try fixture.reopen()
        expect(try fixture.store.earlier(window) == nil)
        expect(try fixture.metadata().keys.allSatisfy { $0[0] != RecordKey.Tag.node })
    }

    @Test("Moving a group with 300 tabs, renaming and collapsing it write one record each")
    func cost() throws {
        var set = SessionChanges()
        set.put(node(10, .group, 5), in: window)
        for number in 0..<300 { set.put(tab(UInt64(1000 + number), number, in: 10), in: window) }
        set.put(tab(1, 0), in: window)
        _ = try fixture.store.saveBlocking(set)
        _ = fixture.engine.takeJournal()
        var group = node(10, .group, 300)
        try save(.putNode(group, in: window))
        group.name = "another"
        try save(.putNode(group, in: window))
        group.isCollapsed = true
        try save(.putNode(group, in: window))
        let journal = fixture.engine.takeJournal()
        expect(journal.writes.map(\.operations), is: [2, 2, 2])
        expect(journal.reads == 0 && journal.scans == 0)
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
            (1, [.putNode(pinned, in: window)]),
            (1, [.putTab(wide, in: window)]),
            (1, [.putTab(folded, in: window)]),
            // Out of a group, below a tab, and with what is below it into another group.
            (1, [.putTab(tab(1, 20), in: window)]),
            (1, [.putTab(tab(1, 1, in: 5, edge: .branch), in: window)]),
            (1, [.putNode(node(12, .split, 9, in: 11), in: window)]),
            // A new group of two, and the end of it.
            (
                3,
                [
                    .putNode(node(20, .group, 30), in: window),
                    .putTab(tab(1, 0, in: 20), in: window), .putTab(tab(2, 1, in: 20), in: window),
                ]
            ),
            (
                3,
                [
                    .removeNode(ForestTests.id(20), from: window),
                    .putTab(tab(1, 30), in: window), .putTab(tab(2, 31), in: window),
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

    private func refused(_ subject: NodeID, _ changes: SessionChanges.Change...) {
        var set = SessionChanges()
        for change in changes { set.add(change) }
        let error = #expect(throws: StorageError.self) { try fixture.store.saveBlocking(set) }
        expect(error?.code, is: .invalidChanges)
        switch error?.subject {
        case .node(let id, _): expect(id, is: subject)
        case .tab(let id, _): expect(NodeID(id), is: subject)
        default: Issue.record("no node is named")
        }
    }

    @Test func whatWouldBreakAForestIsRefusedAndNamed() throws {
        try saveForest()
        let before = try restored()
        let id = ForestTests.id
        // Cycles, of any length.
        refused(id(10), .putNode(node(10, .group, 5, in: 10), in: window))
        refused(id(10), .putNode(node(10, .group, 5, in: 11), in: window))
        // Parents that are not there, elsewhere, or have no such children.
        refused(id(13), .putNode(node(13, .group, 5, in: 99), in: window))
        refused(id(13), .putNode(node(13, .group, 5, in: 10), in: other))
        refused(id(7), .putTab(tab(7, 0, in: 5), in: window))
        refused(id(13), .putNode(node(13, .group, 0, in: 12), in: window))
        refused(id(13), .putNode(node(13, .space, 0, in: 10), in: window))
        // Children that would stay behind.
        refused(id(10), .removeNode(id(10), from: window))
        refused(id(5), .removeTab(TabID(id(5)), from: window))
        refused(id(12), .putNode(node(12, .split, 2), in: other))
        // Identifiers.
        refused(id(5), .putNode(node(5, .group, 0), in: window))
        refused(id(10), .putTab(tab(10, 0), in: window))
        refused(
            id(13), .putNode(node(13, .group, 0), in: window), .removeNode(id(13), from: window))
        var zoned = tab(7, 0, in: 10)
        zoned.zone = .pinned
        refused(id(7), .putTab(zoned, in: window))
        expect(try restored() == before)
        // The same with what is below it.
        try save(
            .putNode(node(12, .split, 2), in: other), .putTab(tab(3, 0, in: 12), in: other),
            .putTab(tab(4, 1, in: 12), in: other))
        expect(rows(try restored(other)), is: ["12", " 3", " 4"])
        try save(.removeTab(TabID(id(5)), from: window), .putTab(tab(6, 9), in: window))
        expect(rows(try restored()), is: ["10", " 1", " 11", "  2", "6"])
    }

    @Test("A node that is damaged costs itself alone, and what was below it stays together")
    func damage() throws {
        try saveForest()
        try fixture.store.closeBlocking()
        let key = RecordKey.node(window, ForestTests.id(11)).bytes
        try fixture.edit { $0[.metadata]?[key]?[20] ^= 1 }
        try fixture.open()
        let session = try #require(try restored())
        expect(session.losses.map(\.kind) == [.node] && session.provenance == .salvaged)
        expect(session.tabs.count, is: 6)
        expect(session.repairs.map(\.kind), is: [.groupAdded])
        expect(Set(session.nodes.map(\.id)), is: Set([10, 11, 12].map { ForestTests.id($0) }))
        expect(session.tabs.first { $0.title == "tab 2" }?.parent, is: ForestTests.id(11))
        _ = try fixture.store.repairBlocking()
        expect(try restored()?.repairs == [] && restored()?.losses == [])
        expect(try restored()?.nodes.count == 3)
    }

    @Test("A damaged node comes back with the name and the place that it had at the restore point")
    func earlier() throws {
        try saveForest()
        try fixture.reopen()
        var moved = node(11, .group, 300)
        moved.name = "later"
        try save(.putNode(moved, in: window), .putNode(node(13, .group, 9, in: 11), in: window))
        try fixture.store.closeBlocking()
        for number in [11, 13] as [UInt64] {
            let key = RecordKey.node(window, ForestTests.id(number)).bytes
            try fixture.edit { $0[.metadata]?[key]?[20] ^= 1 }
        }
        // What was lost stays so, and is reported until it is accepted.
        for _ in 1...2 {
            try fixture.open()
            let session = try #require(try restored())
            expect(rows(session) == Self.forest && session.repairs == [])
            expect(session.nodes.map(\.name), is: ["node 10", "node 11", "node 12"])
            expect(Set(session.losses.map(\.kind)), is: [.nodeReplacedByEarlier, .node])
            expect(Set(session.losses.map(\.node)), is: Set([11, 13].map { ForestTests.id($0) }))
            expect(session.provenance, is: .salvaged)
            try fixture.store.closeBlocking()
        }
        try fixture.open()
        _ = try fixture.store.repairBlocking()
        expect(rows(try restored()), is: Self.forest)
        expect(try restored()?.losses == [])
    }

    /// Damages the record of a node of the window.
    private func lose(_ number: UInt64) throws {
        try fixture.store.closeBlocking()
        let key = RecordKey.node(window, ForestTests.id(number)).bytes
        try fixture.edit { $0[.metadata]?[key]?[20] ^= 1 }
        try fixture.open()
    }

    @Test("A repair that leaves a list of tabs needs no other")
    func repairedOnce() throws {
        var split = node(10, .split, 5)
        split.zone = .pinned
        try save(
            .putNode(split, in: window), .putTab(tab(1, 0, in: 10), in: window),
            .putTab(tab(2, 1), in: window))
        expect(rows(try restored()), is: ["1", "2"])
        _ = try fixture.store.repairBlocking()
        expect(try restored()?.repairs == [] && rows(try restored()) == ["1", "2"])
    }

    @Test("Children of a node elsewhere that go with their session do not stay behind")
    func childrenInARemovedSession() throws {
        try save(.putNode(node(10, .group, 5), in: window), .putTab(tab(1, 0, in: 10), in: window))
        try lose(10)
        try save(.putNode(node(10, .group, 5), in: other))
        refused(ForestTests.id(10), .removeNode(ForestTests.id(10), from: other))
        try save(.removeSession(window), .removeNode(ForestTests.id(10), from: other))
        expect(try fixture.store.sessionsBlocking().isEmpty)
    }

    @Test(
        "What names a node of another session is put into a group of its own, and takes nothing from there"
    )
    func parentElsewhere() throws {
        var folder = node(20, .group, 1)
        folder.style = "folder"
        try save(
            .putNode(node(10, .group, 5), in: window), .putTab(tab(1, 0, in: 10), in: window),
            .putNode(folder, in: window))
        try lose(10)
        try save(.putNode(node(10, .group, 5), in: other), .putTab(tab(2, 0, in: 10), in: other))
        for isRepaired in [false, true] {
            if isRepaired { _ = try fixture.store.repairBlocking() }
            expect(rows(try restored()), is: ["20", "11", " 1"])
            expect(rows(try restored(other)), is: ["10", " 2"])
            expect(try restored(other)?.nodes.map(\.name) == ["node 10"])
            expect(try restored()?.repairs.map(\.kind) == (isRepaired ? [] : [.groupAdded]))
        }
    }
}
