import BrowserModel
import BrowserSessions
import SessionRestoration
import SessionTesting
import Testing

@MainActor
final class Sidebar {
    let windows = WindowList()
    let restorer: SessionRestorer

    /// What the windows can show; the store keeps the rest, too.
    init(_ storage: any SessionStorage, rules: StructureRules = .everything) async throws {
        windows.structureRules = rules
        restorer = SessionRestorer(windows: windows, storage: storage)
        try await restorer.restore()
    }

    /// The sidebar of a window, a line for each tab and node.
    func lines(of window: Window) -> [String] {
        window.tabs.forest.rows.map { row in
            let indent = String(repeating: "  ", count: row.depth)
            switch row.content {
            case .tab(let tab): return indent + tab.title
            case .node(let node) where node.kind == .split: return indent + "panes"
            case .node(let node): return indent + node.name
            }
        }
    }
}

/// The examples of Structure.md.
@MainActor struct StructureExampleTests {
    @Test func aHostHasFoldersSplitsAndTrees() async throws {
        let storage = MemoryStorage()
        let (sidebar, window, split) = try await firstLaunch(storage)
        try await nextLaunch(storage, sidebar, window, split)
    }

    private func firstLaunch(
        _ storage: MemoryStorage
    ) async throws -> (Sidebar, Window, StructureNode) {
        let sidebar = try await Sidebar(storage)
        let window = try sidebar.windows.open()
        let list = window.tabs
        for title in ["Swift", "Forums", "Mail", "Calendar", "Review"] {
            try list.insert(Tab(url: "https://example.org/\(title)", title: title))
        }
        let folder = StructureNode.folder(name: "Work")
        try list.create(folder, of: [list[0], list[1]])
        let split = try list.split([list[2], list[3]], at: .inside(folder.id))
        try list.move(list[4], under: list[0])
        #expect(
            sidebar.lines(of: window) == [
                "Work", "  Swift", "    Review", "  Forums", "  panes", "    Mail",
                "    Calendar",
            ])

        try list.move(folder, to: .top(.pinned))
        #expect(list.pinnedCount == 5)
        let tree = sidebar.lines(of: window)
        try list.close(list[0])
        #expect(list.map(\.title) == ["Review", "Forums", "Mail", "Calendar"])

        let before = sidebar.lines(of: window)
        try list.closeAll(in: folder)
        #expect(list.isEmpty && sidebar.restorer.closed.items.first?.title == "Work")
        try sidebar.restorer.closed.reopenLast()
        #expect(sidebar.lines(of: window) == before)
        let swift = try #require(sidebar.restorer.closed.tabs.last)
        try sidebar.restorer.closed.reopen(swift.id)
        #expect(sidebar.lines(of: window) == tree)
        try await sidebar.restorer.close()
        return (sidebar, window, split)
    }

    private func nextLaunch(
        _ storage: MemoryStorage, _ sidebar: Sidebar, _ window: Window, _ split: StructureNode
    ) async throws {
        let next = try await Sidebar(storage.reopened(), rules: .flatGroups)
        let restored = try #require(next.windows.first)
        #expect(next.lines(of: restored) == sidebar.lines(of: window))
        #expect(restored.tabs.groups.isEmpty && restored.tabs.pinnedCount == 5)
        let group = StructureNode.group(name: "Both")
        #expect(throws: TabListError.breaksRule(group.id, .pinnedGroup)) {
            try restored.tabs.create(group, of: [split], at: .top(.pinned))
        }

        let library = next.windows.library
        let space = StructureNode.space(name: "Evening")
        try library.create(space)
        try library.insert(Tab(title: "News"), as: TabInsertion(.inside(space.id)))
        let other = try next.windows.open()
        for window in [restored, other] { try window.show(space.id) }
        try other.activate(library[0])
        #expect(other.tabsOnScreen.map(\.title) == ["News"] && other.tabOnScreen?.title == "News")
        #expect(restored.tabsOnScreen.count == 6 && restored.space?.name == "Evening")
    }
}
