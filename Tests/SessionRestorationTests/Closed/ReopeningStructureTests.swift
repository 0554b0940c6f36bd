import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

/// What public threads report of browsers that reopen folders, splits and trees.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ReopeningStructureTests {
    @Test(
        "After a kill a closed folder is one item, and comes back with all that was in it",
        .bug("https://github.com/brave/brave-browser/issues/57119"))
    func closedFolder() async throws {
        let (host, window) = try await Host.structuredWindow("a", "b", "c", "d")
        let (outer, inner) = (
            StructureNode.folder(name: "Outer"), StructureNode.folder(name: "Inner")
        )
        try window.tabs.create(inner, of: [window.tabs[1], window.tabs[2]])
        try window.tabs.create(StructureNode.folder(name: "Empty"), at: .inside(inner.id))
        try window.tabs.create(outer, of: [inner])
        let before = window.tabs.outline
        try window.tabs.closeAll(in: outer)
        expect(window.tabs.outline, is: ["a", "d"])
        let next = try await host.next()
        let items = next.restorer.closed.items
        expect(items.map(\.title) == ["Outer"] && items.map(\.tabs) == [2])
        expect(items.first?.node?.style, is: "folder")
        try next.restorer.closed.reopenLast()
        expect(next.windows.first?.tabs.outline, is: before)
        expect(next.restorer.closed.items.isEmpty)
        expect(try next.restorer.closed.reopenLast().isEmpty)
        try await next.restorer.save()
        expect(try await next.storage.base.sessions().allSatisfy { $0.kind != .recentlyClosed })
    }

    @Test(
        "The order of reopening a parent and its branches does not matter",
        .bug("https://github.com/piroor/treestyletab/issues/2659"), arguments: [true, false])
    func parentAndBranch(isParentFirst: Bool) async throws {
        let (host, window) = try await Host.structuredWindow(
            "parent", "child", "grandchild", "other")
        let list = window.tabs
        try list.move(list[1], to: .below(list[0].nodeID))
        try list.move(list[2], to: .below(list[1].nodeID))
        let (before, ids) = (window.tabs.outline, list.map(\.id))
        try list.close(ids[0])
        expect(window.tabs.outline, is: ["child", "  grandchild", "other"])
        try list.close(ids[1])
        let next = try await host.next()
        for id in isParentFirst ? [ids[0], ids[1]] : [ids[1], ids[0]] {
            try next.restorer.closed.reopen(id)
        }
        expect(next.windows.first?.tabs.outline, is: before)
    }

    @Test(
        "A branch that somebody moved in the meantime stays there",
        .bug("https://github.com/mbnuqw/sidebery/issues/372"))
    func movedBranch() async throws {
        let (host, window) = try await Host.structuredWindow("parent", "one", "two", "other")
        let list = window.tabs
        let ids = list.map(\.id)
        try list.move([list[1], list[2]], to: .below(list[0].nodeID))
        try list.close(ids[0])
        try list.move(ids[1], to: .below(NodeID(ids[3])))
        try host.restorer.closed.reopenLast()
        expect(window.tabs.outline, is: ["parent", "  two", "other", "  one"])
    }

    @Test(
        "A closed pane comes back into its split, with the shares",
        .bug("https://github.com/zen-browser/desktop/issues/982"), arguments: [0, 1])
    func closedPane(_ number: Int) async throws {
        let (host, window) = try await Host.structuredWindow("a", "b", "c")
        let list = window.tabs
        let split = try list.split([list[0], list[1]], weights: [3], axis: .column)
        let (before, id) = (window.tabs.outline, list[number].id)
        try list.close(id)
        expect(list.node(split.id) == nil)
        let next = try await host.next()
        try next.restorer.closed.reopen(id)
        let restored = try require(next.windows.first)
        expect(restored.tabs.outline, is: before)
        expect(restored.tabs.node(split.id)?.axis, is: .column)
        expect(restored.tabs.range(of: split.id), is: 0..<2)
        expect(restored.tabs.map(\.metadata.weight), is: [3, 0, 0])
        expect(throws: TabListError.breaksRule(NodeID(restored.tabs[2].id), .pane)) {
            try restored.tabs.setWeight(1, of: restored.tabs[2])
        }
    }

    @Test(
        "A group that was closed tab by tab is back with the first of them, each in its place",
        .bug("https://github.com/zen-browser/desktop/issues/10286"))
    func groupTabByTab() async throws {
        let (host, window) = try await Host.structuredWindow("a", "b", "c", "d")
        let group = StructureNode.group(name: "G", color: .red)
        try window.tabs.create(group, of: Array(window.tabs[1...2]))
        let (before, ids) = (window.tabs.outline, window.tabs.map(\.id))
        try window.tabs.close(ids[1])
        try window.tabs.close(ids[2])
        expect(window.tabs.groups.isEmpty)
        let next = try await host.next()
        expect(next.restorer.closed.tabs.map { $0.group?.name }, is: ["G", "G"])
        try next.restorer.closed.reopen(ids[1])
        expect(next.windows.first?.tabs.outline, is: ["a", "G", "  b", "d"])
        let last = try await next.next()
        try last.restorer.closed.reopen(ids[2])
        expect(last.windows.first?.tabs.outline, is: before)
        expect(last.windows.first?.tabs.group(group.id)?.color, is: .red)
    }

    @Test(
        "A reopened tab comes to its group, wherever that is by then",
        .bug("https://github.com/mozilla/multi-account-containers/issues/2000"))
    func groupThatMoved() async throws {
        let (host, window) = try await Host.structuredWindow("a", "b", "c")
        let group = StructureNode.group(name: "G")
        try window.tabs.create(group, of: [window.tabs[0], window.tabs[1]])
        let (id, other) = (window.tabs[1].id, try host.windows.open())
        try window.tabs.close(id)
        try window.tabs.transfer([group], to: other.tabs, at: .top())
        try host.restorer.closed.reopen(id)
        expect(other.tabs.outline, is: ["G", "  a", "  b"])
    }

    @Test("Panes of a split, and a branch, become inactive together or not at all")
    func inactive() async throws {
        var policy = RestorationPolicy()
        policy.inactiveAge = .seconds(1_000)
        let (host, window) = try await Host.structuredWindow(
            "a", "b", "c", "d", "e", "f", "active", policy: policy)
        let list = window.tabs
        try list.split([list[0], list[1]])
        try list.create(StructureNode.folder(name: "Folder"), of: [list[2], list[3]])
        try list.move(list[5], to: .below(list[4].nodeID))
        let before = window.tabs.outline
        try list.activate(list[6])
        host.clock.advance(by: .seconds(2_000))
        for title in ["a", "d", "f"] {
            list.first { $0.title == title }?.wasShown(at: host.clock.timestamp)
        }
        list[6].wasShown(at: host.clock.timestamp)
        expect(try host.restorer.inactive.moveUnused() == 1)
        expect(try host.restorer.inactive.tabs(of: window).map(\.title) == ["c"])
        expect(window.tabs.outline, is: before.filter { $0 != "  c" })
        let next = try await host.next()
        try next.restorer.inactive.reactivateAll()
        let restored = try require(next.windows.first)
        expect(Set(restored.tabs.outline), is: Set(before))
        expect(restored.tabs.nodes.count { $0.name == "Folder" }, is: 1)
    }

    @Test("What a program closes comes back with its folders, splits and trees")
    func closedByProgram() async throws {
        let (host, window) = try await Host.structuredWindow("a", "b", "c", "d", "e")
        let list = window.tabs
        let outer = StructureNode.folder(name: "Outer")
        try list.split([list[0], list[1]])
        try list.create(StructureNode.group(name: "G"), of: [list[2]])
        try list.create(outer, of: [list.nodes.last?.id ?? outer.id, NodeID(list[3].id)])
        try list.move(list[4], to: .below(list[3].nodeID))
        let before = window.tabs.outline
        try await host.restorer.save()
        list.closeAll(reason: .program)
        let next = try await host.next()
        expect(next.restorer.closed.tabs.allSatisfy { $0.isClosedByProgram })
        try next.restorer.closed.reopenLast()
        expect(next.windows.first?.tabs.outline, is: before)
    }

    @Test("A closed group that was imported is one item, and comes back as a group")
    func imported() async throws {
        let storage = MemoryStorage()
        let id = SessionID(window: .random(), kind: .recentlyClosed)
        var group = StructureNode.group(name: "Imported", color: .blue)
        group.closedFrom = FormerPlace()
        group.closedFrom?.batch = group.id
        group.closedFrom?.time = Timestamp(microseconds: 5)
        var changes = SessionChanges()
        changes.put(SessionAttributes(), for: id)
        changes.put(group, in: id)
        for (title, place) in zip(["a", "b"], OrderKey.evenlySpaced(count: 2)) {
            var tab = TabMetadata(
                id: .random(), place: place, url: "https://\(title).example/", title: title)
            tab.parent = group.id
            changes.put(tab, in: id)
        }
        _ = try await storage.save(changes)
        let host = try await Host.structured(FaultyStorage(storage))
        _ = try await host.window("x")
        let items = host.restorer.closed.items
        expect(items.map(\.title) == ["Imported"] && items.map(\.tabs) == [2])
        expect(items.first?.closedAt, is: Timestamp(microseconds: 5))
        let next = try await host.next()
        expect(next.restorer.closed.items.map(\.title), is: ["Imported"])
        try next.restorer.closed.reopenLast()
        expect(next.windows.first?.tabs.outline, is: ["x", "Imported", "  a", "  b"])
        try await next.restorer.save()
        expect(try await storage.restore(id)?.tabs.isEmpty ?? true)
    }
}
