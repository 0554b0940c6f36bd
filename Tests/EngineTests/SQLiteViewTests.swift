import BrowserSessions
import Expectations
import SessionSamples
import StorageEngines
import TestSupport

@testable import SQLiteBackend

/// What people see of a store with plain SQL.
@Suite("SQLite views")
struct SQLiteViewTests {
    private let scratch = TemporaryFolder(inMemory: true)
    private let window: WindowID

    init() throws {
        var random = SeededGenerator(seed: 9)
        window = .random(using: &random)
    }

    private func id<Subject>(_ number: UInt64) -> Identifier<Subject> {
        Identifier(high: 0x1234_5678_9ABC_DEF0, low: number)
    }

    private func tab(_ number: UInt64, _ title: String, in parent: UInt64? = nil) -> TabMetadata {
        var tab = TabMetadata(id: id(number), place: Self.place(number), url: "u:\(number)")
        tab.title = title
        tab.parent = parent.map { id($0) }
        return tab
    }

    private func node(
        _ number: UInt64, _ name: String, _ kind: StructureNode.Kind = .group,
        in parent: UInt64? = nil
    ) -> StructureNode {
        StructureNode(
            id: id(number), kind, place: Self.place(number), parent: parent.map { id($0) },
            name: name)
    }

    private static let places = OrderKey.evenlySpaced(count: 200)
    private static func place(_ number: UInt64) -> OrderKey { places[Int(number % 200)] }

    private func save(_ changes: SessionChanges) throws {
        let store = try StorageBackend.sqlite.openBlocking(.init(location: scratch.path))
        let storage = try require(store as? OrderedSessionStorage)
        _ = try storage.saveBlocking(changes, durability: .powerLoss)
        try storage.closeBlocking()
    }

    /// What plain SQL shows of the regular partition.
    private func rows(_ query: String, in file: String? = nil) throws -> [String] {
        let file = file ?? "\(scratch.path)/regular/sessions.db"
        return try SQLiteDatabase(opening: file).texts(query)
    }

    private static let tabs =
        "SELECT url || '|' || title || '|' || ifnull(path || '|' || depth, '-') FROM readable_tabs"
    private static let nodes = """
        SELECT type || '|' || name || '|' || ifnull(path || '|' || depth, '-') FROM readable_nodes
        """

    @Test("People can read the tabs with plain SQL")
    func readableTabs() throws {
        let long = String(repeating: "ü", count: 10000)
        let kinds: [SessionKind] = [
            .regular, .inactive, .recentlyClosed, try require(SessionKind(rawValue: "zoo")),
        ]
        var expected: Set<String> = []
        var changes = SessionChanges()
        for (index, (url, title)) in [("a:b", "One"), (long, ""), ("", long), ("", "")].enumerated()
        {
            var tab = TabMetadata(id: id(UInt64(index)), place: .between(nil, and: nil), url: url)
            tab.title = title
            // A number of ten bytes among the fields.
            tab.navigationItemCount = [-1, 0, 300, .max][index]
            changes.put(tab, in: SessionID(window: window, kind: kinds[index]))
            expected.insert("\(window)|\(kinds[index].rawValue)|\(tab.id)|\(url)|\(title)||0")
        }
        try save(changes)
        let columns = ["window", "kind", "tab", "url", "title", "path", "depth"]
        let row = columns.joined(separator: " || '|' || ")
        expect(Set(try rows("SELECT \(row) FROM readable_tabs")), is: expected)
    }

    @Test("They see what is above each tab and node, in order")
    func structure() throws {
        let session = SessionID(window: window, kind: .regular)
        var changes = SessionChanges()
        for node in [
            node(10, "Work"), node(11, "", in: 10), node(12, "Later ü", in: 11),
            node(13, "", .split, in: 12), node(20, "Home", .space),
        ] { changes.put(node, in: session) }
        var pinned = tab(6, "pinned", in: 20)
        pinned.zone = .pinned
        var branch = tab(7, "branch", in: 5)
        branch.edge = .branch
        var essential = tab(99, "essential")
        essential.zone = .essential
        for tab in [
            tab(1, "top"), tab(2, "in a folder", in: 10), tab(3, "pane", in: 13),
            tab(4, "pane", in: 13), tab(5, "in a space", in: 20), pinned, branch, essential,
        ] { changes.put(tab, in: session) }
        // Elsewhere the same places mean other parents.
        let other = SessionID(window: window, kind: .inactive)
        changes.put(node(30, "Other"), in: other)
        changes.put(tab(31, "inactive", in: 30), in: other)
        try save(changes)
        expect(
            try rows(Self.tabs) == [
                "u:99|essential||0", "u:1|top||0", "u:2|in a folder|Work|1",
                "u:3|pane|Work / group / Later ü / split|4",
                "u:4|pane|Work / group / Later ü / split|4", "u:6|pinned|Home|1",
                "u:5|in a space|Home|1", "u:7|branch|Home / in a space|2", "u:31|inactive|Other|1",
            ])
        expect(
            try rows(Self.nodes) == [
                "group|Work||0", "group||Work|1", "group|Later ü|Work / group|2",
                "split||Work / group / Later ü|3", "space|Home||0", "group|Other||0",
            ])
    }

    /// A database with these records, put without a look at what they mean.
    private func database(_ tabs: [TabMetadata], _ nodes: [StructureNode]) throws -> String {
        let path = "\(scratch.path)/records"
        try FileSystem.makeDirectory(path)
        let store = try SQLiteEngine().open(path)
        var batch = ByteBatch()
        func put(_ tag: Unicode.Scalar, _ kind: UInt8, _ id: NodeID, _ message: [UInt8]) {
            let key = [UInt8(ascii: tag)] + window.bytes + [1] + id.bytes
            let head = [2, kind] + [UInt8](repeating: 0, count: 12)
            batch.put(head + message + [1, 2, 3, 4], for: key, in: .metadata)
        }
        for tab in tabs { put("t", 2, NodeID(tab.id), tab.encoded()) }
        for node in nodes { put("n", 11, node.id, node.encodedPayload()) }
        try store.write(batch, durably: true)
        try store.close()
        return "\(path)/sessions.db"
    }

    @Test("Damaged structure costs the place of a tab, and never a row")
    func damage() throws {
        let file = try database(
            [
                tab(1, "no parent", in: 90), tab(2, "in a cycle", in: 11), tab(3, "own", in: 3),
                tab(4, "top"), tab(5, "below itself", in: 13),
            ],
            [
                node(10, "A", in: 11), node(11, "B", in: 10), node(12, "far", in: 91),
                node(13, "self", in: 13),
            ])
        expect(
            try rows(Self.tabs, in: file) == [
                "u:1|no parent||0", "u:4|top||0", "u:2|in a cycle|-", "u:3|own|-",
                "u:5|below itself|-",
            ])
        expect(
            Set(try rows(Self.nodes, in: file)),
            is: [
                "group|A|-", "group|B|-", "group|far||0", "group|self|-",
            ])
    }

    @Test("A chain of tabs is shown as deep as a restore lets it be")
    func chain() throws {
        let file = try database(
            (0..<5000).map { tab($0, "t", in: $0 == 0 ? nil : $0 - 1) }, [])
        let counts = "SELECT count(*) || ' ' || count(path) || ' ' || max(depth) FROM readable_tabs"
        expect(try rows(counts, in: file) == ["5000 65 64"])
    }
}
