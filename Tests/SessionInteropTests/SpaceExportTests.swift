import BrowserSessions
import Expectations
import SessionInterop
import SessionTesting
import TestSupport

/// What other formats get of a library.
struct SpaceExportTests {
    private let time = Timestamp(microseconds: 1_767_225_600_000_000)
    private let work = Self.node(.space, "Work")
    private let home = Self.node(.space, "Home")
    private let container = NodeID.random()

    private static func node(_ kind: StructureNode.Kind, _ name: String) -> StructureNode {
        var node = StructureNode(kind, place: .middle)
        node.name = name
        return node
    }

    private func tab(
        _ title: String, in parent: NodeID? = nil, _ zone: NodeZone = .normal
    ) -> TabSnapshot {
        var tab = TabMetadata(
            id: .random(), place: .middle, url: "https://example.org/\(title)", title: title)
        (tab.parent, tab.zone) = (parent, zone)
        return TabSnapshot(metadata: tab)
    }

    /// A window, and a library with an essential tab, a folder outside of spaces and two spaces: one has a
    /// pinned tab and a folder in a folder, the other one tab with a container and one that branches from it.
    private func sessions() -> [SessionSnapshot] {
        var window = SessionSnapshot(id: SessionID(window: .random()), tabs: [tab("own")])
        window.attributes.title = "Window"
        var read = Self.node(.group, "Read")
        var later = Self.node(.group, "Later")
        var top = Self.node(.group, "Top")
        (top.style, read.style, read.parent) = ("folder", "folder", work.id)
        (later.style, later.parent) = ("folder", read.id)
        var contained = tab("contained", in: home.id)
        contained.metadata.container = container
        var branch = tab("branch", in: NodeID(contained.metadata.id))
        branch.metadata.edge = .branch
        var library = SessionSnapshot(id: SessionID(window: .random(), kind: .library))
        library.tabs = [
            tab("essential", .essential), tab("topmost", in: top.id),
            tab("pinned", in: work.id, .pinned), tab("a", in: work.id), tab("b", in: later.id),
            contained, branch,
        ]
        var known = Self.node(.container, "Bank")
        known.id = container
        var shown = home
        shown.active = contained.metadata.id
        library.nodes = [top, work, read, later, shown, known]
        for (index, place) in OrderKey.evenlySpaced(count: library.nodes.count).enumerated() {
            library.nodes[index].place = place
        }
        for (index, place) in OrderKey.evenlySpaced(count: library.tabs.count).enumerated() {
            library.tabs[index].metadata.place = place
        }
        return [library, window]
    }

    private func export(_ format: ExportFormat) throws -> SessionExport {
        try SessionExporter(format, at: time).export(sessions())
    }

    @Test func spaceIsAWindowWithItsName() throws {
        let export = try export(.markdown)
        let text = String(decoding: try require(export.files.first).bytes, as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        func place(_ word: String) throws -> Int {
            try require(lines.firstIndex { $0.contains(word) }, "\(word) in\n\(text)")
        }
        let order = try [
            "Window", "own", "Work", "pinned", "Read / Later", "/b", "Home", "contained", "branch",
        ].map(place)
        expect(order, is: order.sorted(), "\(text)")
        expect(export.counts.windows == 4 && export.counts.tabs == 8)
        expect(text.contains("## Work") && text.contains("## Home"), "\(text)")
    }

    @Test("A page has spaces apart from windows, after them, and names a window by its tab")
    func page() async throws {
        var sessions = sessions()
        sessions[1].attributes.title = ""
        sessions[1].attributes.activeTab = sessions[1].tabs[0].metadata.id
        sessions[1].attributes.createdAt = Timestamp(microseconds: 2)
        var older = SessionSnapshot(id: SessionID(window: .random()), tabs: [tab("older")])
        older.attributes.createdAt = Timestamp(microseconds: 1)
        sessions.append(older)
        let store = MemoryStorage()
        for session in sessions { try await store.save(SessionChanges(saving: session)) }
        let file = try require(try await SessionExporter(.html, at: time).export(store).files.first)
        let text = String(decoding: file.bytes, as: UTF8.self)
        let blocks = try HTMLSample.blocks("session", of: text).map { $0 as? [String: Any] }
        expect(blocks.map { $0?["title"] as? String }, is: ["", "", "Work", "Home", ""])
        expect(blocks.map { $0?["isSpace"] as? Bool }, is: [false, false, true, true, false])
        expect(blocks.map { $0?["kind"] as? String }.last, is: "library")
        let heads = text.matches(of: #/<h2><bdi dir="auto">([^<]*)</#).map { String($0.output.1) }
        expect(
            heads,
            is: [
                "Window 1: older", "Window 2: own", "Work – space", "Home – space",
                "Window 5 – spaces",
            ])
    }

    @Test(arguments: ExportFormat.allCases)
    func everyTabIsWrittenOnceAndWhatIsNotHeldIsCounted(format: ExportFormat) throws {
        let export = try export(format)
        expect(export.counts.tabs == 8 && export.counts.windows == 4)
        // Two spaces, a container, a folder in a folder, and a tab below another one.
        expect(export.losses[.structure], is: 5)
        expect(export.losses[.containers], is: 1)
        expect(export.lossLines.contains("1 container of a tab"))
    }

    @Test func tabThatASpaceShowsIsActiveInItsWindow() throws {
        let losses = try export(.bookmarks).losses
        expect(losses[.activeTabs], is: 1)
    }
}
