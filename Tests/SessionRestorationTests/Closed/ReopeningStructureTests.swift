import BrowserModel
import BrowserSessions
import SessionRestoration
import SessionTesting
import Testing

/// What public threads report of browsers that reopen folders, splits and trees.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ReopeningStructureTests {
    private func host(_ titles: String...) async throws -> (host: Host, window: Window) {
        let host = Host()
        host.windows.structureRules = .everything
        try await host.restorer.restore()
        let window = try host.windows.open()
        for title in titles {
            try window.tabs.insert(Tab(url: "https://\(title).example/", title: title))
        }
        return (host, window)
    }

    private func relaunched(_ host: Host) async throws -> Host {
        try await host.restorer.save()
        let next = Host(storage: FaultyStorage(host.storage.base), clock: host.clock)
        next.windows.structureRules = .everything
        try await next.restorer.restore()
        return next
    }

    private func outline(_ window: Window?) -> [String] {
        window?.tabs.forest.rows.map { row in
            let indent = String(repeating: "  ", count: row.depth)
            switch row.content {
            case .tab(let tab): return indent + tab.title
            case .node(let node):
                return indent + (node.name.isEmpty ? node.kind.rawValue : node.name)
            }
        } ?? []
    }

    private func folder(_ name: String) -> StructureNode {
        var folder = StructureNode.group(name: name)
        folder.style = "folder"
        return folder
    }

    @Test(
        "After a kill a closed folder is one item, and comes back with all that was in it",
        .bug("https://github.com/brave/brave-browser/issues/57119"))
    func closedFolder() async throws {
        let (host, window) = try await host("a", "b", "c", "d")
        let (outer, inner) = (folder("Outer"), folder("Inner"))
        try window.tabs.create(inner, of: [window.tabs[1], window.tabs[2]])
        try window.tabs.create(folder("Empty"), at: .inside(inner.id))
        try window.tabs.create(outer, of: [inner])
        let before = outline(window)
        try window.tabs.closeAll(in: outer)
        #expect(outline(window) == ["a", "d"])
        let next = try await relaunched(host)
        let items = next.restorer.closed.items
        #expect(items.map(\.title) == ["Outer"] && items.map(\.tabs) == [2])
        #expect(items.first?.node?.style == "folder")
        try next.restorer.closed.reopenLast()
        #expect(outline(next.windows.first) == before)
        #expect(next.restorer.closed.items.isEmpty)
        #expect(try next.restorer.closed.reopenLast().isEmpty)
    }

    @Test(
        "The order of reopening a parent and its branches does not matter",
        .bug("https://github.com/piroor/treestyletab/issues/2659"), arguments: [true, false])
    func parentAndBranch(isParentFirst: Bool) async throws {
        let (host, window) = try await host("parent", "child", "grandchild", "other")
        let list = window.tabs
        try list.move(list[1], to: .below(list[0].nodeID))
        try list.move(list[2], to: .below(list[1].nodeID))
        let (before, ids) = (outline(window), list.map(\.id))
        try list.close(ids[0])
        #expect(outline(window) == ["child", "  grandchild", "other"])
        try list.close(ids[1])
        let next = try await relaunched(host)
        for id in isParentFirst ? [ids[0], ids[1]] : [ids[1], ids[0]] {
            try next.restorer.closed.reopen(id)
        }
        #expect(outline(next.windows.first) == before)
    }

    @Test(
        "A branch that somebody moved in the meantime stays there",
        .bug("https://github.com/mbnuqw/sidebery/issues/372"))
    func movedBranch() async throws {
        let (host, window) = try await host("parent", "one", "two", "other")
        let list = window.tabs
        let ids = list.map(\.id)
        try list.move([list[1], list[2]], to: .below(list[0].nodeID))
        try list.close(ids[0])
        try list.move(ids[1], to: .below(NodeID(ids[3])))
        try host.restorer.closed.reopenLast()
        #expect(outline(window) == ["parent", "  two", "other", "  one"])
    }

    @Test(
        "A closed pane comes back into its split, with the shares",
        .bug("https://github.com/zen-browser/desktop/issues/982"), arguments: [0, 1])
    func closedPane(_ number: Int) async throws {
        let (host, window) = try await host("a", "b", "c")
        let list = window.tabs
        var split = StructureNode(.split, place: .middle)
        split.axis = .column
        try list.create(split, of: [list[0], list[1]])
        let (before, id) = (outline(window), list[number].id)
        try list.close(id)
        #expect(list.node(split.id) == nil)
        let next = try await relaunched(host)
        try next.restorer.closed.reopen(id)
        let restored = try #require(next.windows.first)
        #expect(outline(restored) == before)
        #expect(restored.tabs.node(split.id)?.axis == .column)
        #expect(restored.tabs.range(of: split.id) == 0..<2)
    }

    @Test(
        "A group that was closed tab by tab is back with the first of them, each in its place",
        .bug("https://github.com/zen-browser/desktop/issues/10286"))
    func groupTabByTab() async throws {
        let (host, window) = try await host("a", "b", "c", "d")
        let group = StructureNode.group(name: "G", color: .red)
        try window.tabs.create(group, of: Array(window.tabs[1...2]))
        let (before, ids) = (outline(window), window.tabs.map(\.id))
        try window.tabs.close(ids[1])
        try window.tabs.close(ids[2])
        #expect(window.tabs.groups.isEmpty)
        let next = try await relaunched(host)
        #expect(next.restorer.closed.tabs.map { $0.group?.name } == ["G", "G"])
        try next.restorer.closed.reopen(ids[1])
        #expect(outline(next.windows.first) == ["a", "G", "  b", "d"])
        let last = try await relaunched(next)
        try last.restorer.closed.reopen(ids[2])
        #expect(outline(last.windows.first) == before)
        #expect(last.windows.first?.tabs.group(group.id)?.color == .red)
    }

    @Test(
        "A reopened tab comes to its group, wherever that is by then",
        .bug("https://github.com/mozilla/multi-account-containers/issues/2000"))
    func groupThatMoved() async throws {
        let (host, window) = try await host("a", "b", "c")
        let group = StructureNode.group(name: "G")
        try window.tabs.create(group, of: [window.tabs[0], window.tabs[1]])
        let (id, other) = (window.tabs[1].id, try host.windows.open())
        try window.tabs.close(id)
        try window.tabs.transfer([group], to: other.tabs, at: .top())
        try host.restorer.closed.reopen(id)
        #expect(outline(other) == ["G", "  a", "  b"])
    }

    @Test("Panes of a split, and a branch, become inactive together or not at all")
    func inactive() async throws {
        var policy = RestorationPolicy()
        policy.inactiveAge = .seconds(1_000)
        let host = Host(policy: policy)
        host.windows.structureRules = .everything
        try await host.restorer.restore()
        let window = try host.windows.open()
        let list = window.tabs
        for title in ["a", "b", "c", "d", "e", "f", "active"] {
            try list.insert(
                Tab(
                    url: "https://\(title).example/", title: title, createdAt: host.clock.timestamp)
            )
        }
        try list.create(StructureNode(.split, place: .middle), of: [list[0], list[1]])
        try list.create(folder("Folder"), of: [list[2], list[3]])
        try list.move(list[5], to: .below(list[4].nodeID))
        let before = outline(window)
        try list.activate(list[6])
        host.clock.advance(by: .seconds(2_000))
        for title in ["a", "d", "f"] {
            list.first { $0.title == title }?.wasShown(at: host.clock.timestamp)
        }
        list[6].wasShown(at: host.clock.timestamp)
        #expect(try host.restorer.inactive.moveUnused() == 1)
        #expect(try host.restorer.inactive.tabs(of: window).map(\.title) == ["c"])
        #expect(outline(window) == before.filter { $0 != "  c" })
        let next = Host(
            storage: FaultyStorage(host.storage.base), clock: host.clock, policy: policy)
        try await host.restorer.save()
        next.windows.structureRules = .everything
        try await next.restorer.restore()
        try next.restorer.inactive.reactivateAll()
        let restored = try #require(next.windows.first)
        #expect(Set(outline(restored)) == Set(before))
        #expect(restored.tabs.nodes.count { $0.name == "Folder" } == 1)
    }

    @Test("A window that a program empties is set aside with its folders, splits and trees")
    func setAside() async throws {
        let (host, window) = try await host("a", "b", "c", "d", "e")
        let list = window.tabs
        let outer = folder("Outer")
        try list.create(StructureNode(.split, place: .middle), of: [list[0], list[1]])
        try list.create(StructureNode.group(name: "G"), of: [list[2]])
        try list.create(outer, of: [list.nodes.last?.id ?? outer.id, NodeID(list[3].id)])
        try list.move(list[4], to: .below(list[3].nodeID))
        let before = outline(window)
        try await host.restorer.save()
        list.closeAll(reason: .program)
        let next = try await relaunched(host)
        let id = try #require(next.restorer.setAside.sessions.first).id
        let back = try await next.restorer.setAside.bringBack(id)
        #expect(outline(back) == before)
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
        let host = Host(storage: FaultyStorage(storage))
        host.windows.structureRules = .everything
        try await host.restorer.restore()
        _ = try await host.window("x")
        let items = host.restorer.closed.items
        #expect(items.map(\.title) == ["Imported"] && items.map(\.tabs) == [2])
        #expect(items.first?.closedAt == Timestamp(microseconds: 5))
        let next = try await relaunched(host)
        #expect(next.restorer.closed.items.map(\.title) == ["Imported"])
        try next.restorer.closed.reopenLast()
        #expect(outline(next.windows.first) == ["x", "Imported", "  a", "  b"])
        try await next.restorer.save()
        #expect(try await storage.restore(id)?.tabs.isEmpty ?? true)
    }
}
