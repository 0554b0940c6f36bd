import BrowserSessions
import Expectations
import SessionInterop
import SessionTesting
import TestSupport

@Suite("Importing again into a store that is in use")
struct MergeTests {
    typealias Page = MergeBench.Page

    let bench: MergeBench

    init() { bench = MergeBench() }

    private let two = [[Page("a"), Page("b")], [Page("c")]]

    @Test("The same source again saves nothing")
    func again() async throws {
        try bench.write(two, closed: [Page("x")], privately: [Page("p")])
        let first = try await bench.merge()
        expect(first.tabsAdded == 5 && first.sessionsAdded == 4)
        bench.storage.forgetCalls()
        let second = try await bench.merge()
        expect(second.changesNothing && second.unchanged == 5)
        expect(bench.storage.calls.allSatisfy { $0.operation != .save })
    }

    enum Use: CaseIterable {
        case navigated, retitled, pinned, grouped, movedToOther, closed, removed, windowClosed
        case windowRemoved, windowEmptied, opened, reordered
    }

    /// What a user does with the first tab, or its window.
    private func use(_ use: Use) async throws {
        let (tab, home) = try require(try await bench.tab("a"))
        let second = try require(try await bench.tab("b")).tab
        let other = try require(try await bench.tab("c")).session
        var attributes = try require(try await bench.storage.restore(home)).attributes
        var changes = SessionChanges()
        func edit(_ edit: (inout TabMetadata) -> Void) {
            var edited = tab
            edit(&edited)
            changes.put(edited, in: home)
        }
        switch use {
        case .navigated:
            changes.put([1], for: TabStateKey(tab: tab.id, name: .navigation, in: home))
        case .retitled: edit { $0.title = "mine" }
        case .pinned: edit { $0.isPinned = true }
        case .grouped:
            var group = StructureNode.group(name: "mine")
            group.place = tab.place
            changes.put(group, in: home)
            edit { $0.group = group.id }
        case .reordered: edit { $0.place = .between(second.place, and: nil) }
        case .closed:
            changes.put(tab, in: SessionID(window: home.window, kind: .recentlyClosed))
        case .movedToOther, .windowEmptied:
            changes.put(tab, in: other)
            if use == .windowEmptied { changes.put(second, in: other) }
        case .removed: changes.remove(tab.id, from: home)
        case .windowClosed:
            attributes.closedAt = .unknown
            changes.put(attributes, for: home)
        case .windowRemoved: changes.remove(home)
        case .opened:
            changes.put(
                TabMetadata(id: .random(), place: .between(nil, and: nil), url: "https://n.org/"),
                in: home)
        }
        _ = try await bench.storage.save(changes, durability: .memory)
    }

    @Test("What was done here since stays, whatever it was", arguments: Use.allCases)
    func useBetween(_ use: Use) async throws {
        try bench.write(two)
        try await bench.merge()
        try await self.use(use)
        let digest = try await bench.digest()
        let counts = try await bench.merge()
        expect(counts.changesNothing)
        expect(try await bench.digest() == digest)
        // Nor does a source that has grown overwrite it or bring it back.
        let before = try await bench.contents().flatMap { $0 }.sorted()
        try bench.write([[Page("a"), Page("b")], [Page("c"), Page("d")]])
        let grown = try await bench.merge()
        expect(grown.tabsAdded == 1 && grown.tabsUpdated == 0)
        expect(try await bench.contents().flatMap { $0 }.sorted() == (before + ["d"]).sorted())
    }

    @Test("Of a tab that changed in the source and here, ours stays and is counted")
    func bothChanged() async throws {
        try bench.write(two)
        try await bench.merge()
        try await bench.edit("a") { $0.title = "mine" }
        try bench.write([[Page("a", title: "theirs"), Page("b", title: "new")], [Page("c")]])
        for time in 0..<2 {
            let counts = try await bench.merge()
            expect(counts.kept == 1 && counts.tabsUpdated == (time == 0 ? 1 : 0))
        }
        expect(try await bench.tab("a")?.tab.title == "mine")
        expect(try await bench.tab("b")?.tab.title == "new")
    }

    struct Version: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var windows: [[[String]]]
        var contents: [[String]]
        var added = 0
        var updated = 0
        var gone = 0
    }

    private static let versions = [
        Version(
            testDescription: "a tab more", windows: [[["a"], ["n"], ["b"]], [["c"]]],
            contents: [["a", "n", "b"], ["c"]], added: 1),
        Version(
            testDescription: "a tab first", windows: [[["n"], ["a"], ["b"]], [["c"]]],
            contents: [["c"], ["n", "a", "b"]], added: 1),
        Version(
            testDescription: "a window more", windows: [[["n"]], [["a"], ["b"]], [["c"]]],
            contents: [["a", "b"], ["c"], ["n"]], added: 1),
        Version(
            testDescription: "a tab less", windows: [[["a"]], [["c"]]],
            contents: [["a", "b"], ["c"]], gone: 1),
        Version(
            testDescription: "another order", windows: [[["c"]], [["b"], ["a"]]],
            contents: [["b", "a"], ["c"]]),
        Version(
            testDescription: "a tab went on", windows: [[["a", "a2"], ["b"]], [["c"]]],
            contents: [["a2", "b"], ["c"]], updated: 1),
        Version(
            testDescription: "a tab in the other window", windows: [[["a"]], [["c"], ["b"]]],
            contents: [["a"], ["c", "b"]], updated: 1),
        Version(
            testDescription: "a twin", windows: [[["a"], ["a"], ["b"]], [["c"]]],
            contents: [["a", "a", "b"], ["c"]], added: 1),
    ]

    @Test("A later version of the source adds and updates", arguments: versions, [true, false])
    func later(_ version: Version, inPlace: Bool) async throws {
        try bench.write(two)
        try await bench.merge()
        let name = inPlace ? "s.json" : "elsewhere/copy.json"
        try bench.write(
            version.windows.map { $0.map { addresses in Page(all: addresses) } }, to: name)
        let counts = try await bench.merge(name)
        expect(counts.tabsAdded, is: version.added)
        expect(counts.tabsUpdated, is: version.updated)
        expect(counts.goneInSource, is: version.gone)
        expect(try await bench.contents() == version.contents)
        let again = try await bench.merge(name)
        expect(again.changesNothing)
    }

    @Test("What is new of a window that was closed here opens in a window of its own")
    func newInClosedWindow() async throws {
        try bench.write(two)
        try await bench.merge()
        try await use(.windowClosed)
        try bench.write([[Page("a"), Page("b"), Page("n")], [Page("c")]])
        let counts = try await bench.merge()
        expect(counts.tabsAdded == 1 && counts.closedHere == 2 && counts.sessionsAdded == 1)
        expect(try await bench.contents() == [["a", "b"], ["c"], ["n"]])
        expect(try await bench.session(with: "n")?.attributes.closedAt == nil)
        expect(try await bench.merge().changesNothing)
    }

    @Test(
        "A tab that the source closed stays open and is counted; one that it closed more is added")
    func closedInSource() async throws {
        try bench.write(two, closed: [Page("x")])
        try await bench.merge()
        try bench.write([[Page("a")], [Page("c")]], closed: [Page("b"), Page("y"), Page("x")])
        let counts = try await bench.merge()
        expect(counts.tabsAdded == 1 && counts.goneInSource == 1 && counts.tabsUpdated == 0)
        expect(try await bench.session(with: "b")?.id.kind == .regular)
        expect(try await bench.session(with: "y")?.id.kind == .recentlyClosed)
        expect(try await bench.merge().changesNothing)
    }

    @Test(
        "A closed window opens with the source, unless it was opened and closed here",
        arguments: [true, false])
    func windowClosedInSource(isUsed: Bool) async throws {
        func session(_ isClosed: Bool) -> SessionImport {
            var session = SessionSnapshot(number: 5, url: "https://a.example/")
            session.attributes.closedAt = isClosed ? Timestamp(microseconds: 9) : nil
            return SessionImport(sessions: [session])
        }
        func merge(_ isClosed: Bool) async throws -> MergeCounts {
            let plan = try await ImportMerge(session(isClosed)).plan(for: bench.storage)
            try await plan.apply(to: bench.storage)
            return plan.report.totals
        }
        expect(try await merge(true).tabsAdded == 1)
        let closed = try require(try await bench.session(with: "a"))
        if isUsed {
            var attributes = closed.attributes
            attributes.closedAt = Timestamp(microseconds: 10)
            try await bench.change { [attributes] in $0.put(attributes, for: closed.id) }
        }
        let counts = try await merge(false)
        expect(counts.closedHere == (isUsed ? 1 : 0) && counts.tabsAdded == 0)
        let after = try require(try await bench.session(with: "a"))
        expect(after.id == closed.id && (after.attributes.closedAt == nil) == !isUsed)
        expect(try await merge(false).changesNothing)
        expect(try await merge(true).changesNothing)
    }

    @Test("Another source is no later version, though some addresses are the same")
    func otherSource() async throws {
        func list(_ names: [String], _ file: String) throws {
            let text = names.map { "https://\($0).example/" }.joined(separator: "\n")
            try bench.folder.write(Array(text.utf8), to: file)
        }
        try list(["a", "b", "c", "d", "d"], "one.txt")
        expect(try await bench.merge("one.txt").tabsAdded == 5)
        try list(["a", "x", "y", "z"], "two.txt")
        expect(try await bench.merge("two.txt").tabsAdded == 4)
        try list(["a", "b", "c", "d", "d", "d"], "one.txt")
        let counts = try await bench.merge("one.txt")
        expect(counts.tabsAdded == 1 && counts.ambiguous == 1 && counts.unchanged == 5)
    }

    @Test("A replacement makes the windows as in the source; additions leave all and add all")
    func otherModes() async throws {
        for window in ["movedToOther", "closed", "opened", "windowRemoved", "windowClosed"] {
            let use = try require(Use.allCases.first { "\($0)" == window })
            let bench = MergeBench()
            try bench.write(two)
            try await bench.merge()
            let digest = try await ContentDigest.compute(of: bench.storage, partitions: [.regular])
            try await MergeTests(bench).use(use)
            try await bench.merge("s.json", .replacement)
            expect(try await bench.contents() == [["a", "b"], ["c"]], "\(use)")
            if use != .closed {
                expect(try await bench.digest() == digest, "\(use)")
            }
            let counts = try await bench.merge("s.json", .addition)
            expect(counts.tabsAdded == 3 && counts.sessionsAdded == 2)
            expect(try await bench.contents().count == 4)
            expect(try await bench.merge().changesNothing)
        }
    }

    private init(_ bench: MergeBench) { self.bench = bench }
}

extension MergeBench.Page {
    init(all addresses: [String]) {
        self.init("")
        self.addresses = addresses
    }
}
