import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

/// What public threads report of browsers that restore groups, splits and trees.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct StructureThreadsTests {
    @Test(
        "A blank tab stays in its group",
        .bug("https://github.com/brave/brave-browser/issues/20926"))
    func blankTab() async throws {
        let (host, window) = try await Host.structuredWindow("a")
        let group = StructureNode.group(name: "G")
        try window.tabs.create(group, of: [window.tabs[0]])
        try window.tabs.insert(Tab(), as: TabInsertion(.inside(group.id)))
        let next = try await host.next()
        expect(next.windows.first?.tabs.range(of: group), is: 0..<2)
    }

    @Test(
        "A collapsed group is collapsed again, and so is a folded branch; names and hidden tabs stay",
        .bug("https://github.com/brave/brave-browser/issues/38744"),
        .bug("https://github.com/zen-browser/desktop/issues/11157"))
    func looks() async throws {
        let (host, window) = try await Host.structuredWindow("a", "b", "c", "d")
        let list = window.tabs
        var group = StructureNode.group(name: "G")
        try list.create(group, of: [list[0]])
        group.isCollapsed = true
        try list.update(group)
        try list.move(list[2], to: .below(list[1].nodeID))
        list[1].setFolded(true)
        list[1].setName("my name")
        list[3].setHidden(true)
        expect(list.map { list.isOutOfSight($0) }, is: [true, false, true, true])
        let next = try require(try await host.next().windows.first).tabs
        expect(next.map { next.isOutOfSight($0) }, is: [true, false, true, true])
        expect(next[1].name == "my name" && next.forest == list.forest)
    }

    @Test(
        "Tabs that go to another window and back are in their group again, at their place",
        .bug("https://github.com/brave/brave-browser/issues/45146"))
    func thereAndBack() async throws {
        let (host, window) = try await Host.structuredWindow("a", "b", "c")
        let list = window.tabs
        let group = StructureNode.group(name: "G")
        try list.create(group, of: Array(list))
        let other = try host.windows.open()
        let moved = list[1]
        try list.transfer([moved], to: other.tabs, at: .top())
        try await host.restorer.save()
        try other.tabs.transfer(
            [moved], to: list, at: .inside(group.id, .behind(list[0].nodeID)))
        let next = try await host.next()
        let restored = try require(next.windows.window(window.id))
        expect(restored.titles, is: ["a", "b", "c"])
        expect(restored.tabs.range(of: group), is: 0..<3)
    }

    @Test(
        "A copy of a tab in another session gets an identifier of its own, and none of its branches",
        .bug("https://github.com/piroor/treestyletab/issues/1455"))
    func copies() async throws {
        let (host, window) = try await Host.structuredWindow("parent", "child")
        // Windows are opened in the order in which they were made, and the first one keeps the tab.
        host.clock.advance(by: .seconds(1))
        let second = try await host.window("other")
        let list = window.tabs
        try list.move(list[1], to: .below(list[0].nodeID))
        try await host.restorer.save()
        var copy = list[0].metadata
        copy.url = "https://copy.example/"
        let next = try await Host.structured(
            FaultyStorage(
                DoublingStorage(
                    base: host.storage.base, tab: copy, session: second.sessionID)),
            clock: host.clock)
        let tabs = next.windows.flatMap { $0.tabs.tabs }
        expect(Set(tabs.map(\.id)).count == 4 && tabs.count == 4)
        for tab in tabs where tab.title == "parent" {
            let branches = tab.list?.children(of: tab.nodeID, .branch).count
            expect(branches, is: (tab.id == copy.id ? 1 : 0))
        }
    }

    @Test(
        "A closed branch comes back as one subtree",
        .bug("https://github.com/piroor/treestyletab/issues/2892"))
    func branch() async throws {
        let (host, window) = try await Host.structuredWindow("a", "b", "c", "d", "e")
        let list = window.tabs
        try list.move(list[2], to: .below(list[1].nodeID))
        try list.move(list[3], to: .below(list[2].nodeID))
        let before = list.forest.rows.map { "\($0.depth) \($0.id)" }
        try list.closeAll(in: list[1])
        expect(window.titles, is: ["a", "e"])
        let next = try await host.next()
        try next.restorer.closed.reopenLast()
        expect(next.windows.first?.tabs.forest.rows.map { "\($0.depth) \($0.id)" }, is: before)
    }

    @Test(
        "A closed window keeps its forest and its identifier",
        .bug("https://github.com/Quicksaver/Tab-Groups/issues/174"))
    func closedWindow() async throws {
        let (host, window) = try await Host.structuredWindow("a", "b", "c")
        _ = try await host.window("other")
        let group = StructureNode.group(name: "G")
        try window.tabs.create(group, of: [window.tabs[0], window.tabs[1]])
        try window.tabs.split([window.tabs[1], window.tabs[0]])
        let forest = window.tabs.forest
        try host.windows.close(window)
        let next = try await host.next()
        let opened = try await next.restorer.savedWindows.open(window.id)
        expect(opened.id == window.id && opened.tabs.forest == forest)
    }

    @Test(
        "A kill with 1,000 tabs in 15 groups loses no membership",
        .bug("https://github.com/Drive4ik/simple-tab-groups/issues/448"))
    func manyTabs() async throws {
        let (host, window) = try await Host.structuredWindow()
        for number in 0..<1_000 { try window.tabs.insert(Tab(title: "\(number)")) }
        for number in 0..<15 {
            let tabs = window.tabs.filter { (Int($0.title) ?? 0) % 15 == number }
            try window.tabs.create(StructureNode.group(name: "\(number)"), of: tabs)
        }
        try await host.restorer.save()
        let saved = window.tabs.forest
        try window.tabs.dissolve(window.tabs.groups[3].id)
        try window.tabs.move(window.tabs.groups[0].id, to: 900)
        let next = try require(try await host.next(saving: false).windows.first).tabs
        expect(next.forest, is: saved)
        expect(
            next.allSatisfy {
                $0.group.flatMap { next.group($0)?.name } == "\((Int($0.title) ?? 0) % 15)"
            })
    }
}
