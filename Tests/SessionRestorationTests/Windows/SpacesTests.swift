import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// Spaces, containers and tabs that belong to no window, and what public threads report of them.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct SpacesTests {
    private let home = StructureNode.space(name: "Home")
    private let work = StructureNode.space(name: "Work")

    private func tab(_ title: String, container: NodeID? = nil) -> Tab {
        Tab(url: "https://\(title).example/", title: title, container: container)
    }

    /// A host with two spaces, of two tabs and of one.
    private func host() async throws -> Host {
        let host = try await Host.structured()
        let library = host.windows.library
        try library.create(home, at: .top())
        try library.create(work, at: .top())
        try library.insert(tab("a"), as: TabInsertion(.inside(home.id)))
        try library.insert(tab("b"), as: TabInsertion(.inside(home.id)))
        try library.insert(tab("c"), as: TabInsertion(.inside(work.id)))
        return host
    }

    private func relaunched(_ host: Host) async throws -> Host {
        try await host.restorer.save()
        return try await host.relaunched()
    }

    @Test(
        "Two windows show one space, each with its own tab, also after a kill",
        .bug("https://github.com/zen-browser/desktop/issues/12218"))
    func twoWindows() async throws {
        let host = try await host()
        let library = host.windows.library
        let (first, second) = (try await host.window("x"), try await host.window("y"))
        try first.show(home.id)
        try first.activate(library[0])
        try second.show(work.id)
        try second.show(home.id)
        try second.activate(library[1])
        let next = try await relaunched(host)
        for (id, shown, own) in [(first.id, "a", "x"), (second.id, "b", "y")] {
            let window = try require(next.windows.window(id))
            expect(window.space?.name == "Home" && window.tabOnScreen?.title == shown)
            expect(window.tabsOnScreen.map(\.title), is: ["a", "b", own])
        }
        expect(next.windows.library.outline, is: ["Home", "  a", "  b", "Work", "  c"])
        expect(next.restorer.report?.libraries.map(\.tabs), is: [3])
        // Only what is on screen is realized.
        await next.waitUntilIdle()
        let all = next.windows.library.map { $0 } + next.windows.flatMap { $0.tabs.tabs }
        expect(Set(all.filter(\.isRealized).map(\.title)), is: ["a", "b"])
    }

    @Test(
        "A window shows essential tabs, those of the space, and its own ones there and everywhere")
    func onScreen() async throws {
        let host = try await host()
        let window = try await host.window("x")
        try host.windows.library.insert(
            tab("mail"), as: TabInsertion(.top(.essential)))
        try window.activate(host.windows.library[0])
        expect(window.tabOnScreen?.title == "mail" && window.space == nil)
        try window.show(home.id)
        let view = try require(window.view)
        try window.tabs.insert(tab("own"), as: TabInsertion(.inside(view.id)))
        expect(window.tabsOnScreen.map(\.title), is: ["mail", "a", "b", "own", "x"])
        try window.show(work.id)
        expect(window.tabsOnScreen.map(\.title), is: ["mail", "c", "x"])
        let next = try await relaunched(host)
        let restored = try require(next.windows.first)
        expect(restored.tabsOnScreen.map(\.title), is: ["mail", "c", "x"])
        try restored.show(home.id)
        expect(restored.tabsOnScreen.map(\.title), is: ["mail", "a", "b", "own", "x"])
    }

    @Test("A library that was imported joins the profile's own")
    func imported() async throws {
        let host = try await host()
        try await host.restorer.save()
        let id = SessionID(window: .random(), kind: .library)
        let other = StructureNode.space(name: "Other")
        var metadata = TabMetadata(id: .random(), place: .middle, title: "d")
        metadata.parent = other.id
        var changes = SessionChanges()
        changes.put(SessionAttributes(), for: id)
        changes.put(other, in: id)
        changes.put(metadata, in: id)
        _ = try await host.storage.base.save(changes)
        let expected: Set = ["Home", "  a", "  b", "Work", "  c", "Other", "  d"]
        let next = try await host.relaunched()
        expect(Set(next.windows.library.outline), is: expected)
        let before = next.windows.library.outline
        let last = try await relaunched(next)
        expect(last.windows.library.outline, is: before)
        expect(try await host.storage.base.restore(id) == nil)
    }

    @Test("Looking for a library makes no session")
    func looking() async throws {
        let host = try await Host.launched()
        let window = try await host.window("x")
        expect(window.space == nil && window.tabsOnScreen.map(\.title) == ["x"])
        try window.show(nil)
        expect(host.windows.library.isEmpty && window.tabs.nodes.isEmpty)
        try await host.restorer.save()
        let base = try require(host.storage.base as? MemoryStorage)
        expect(!base.snapshots.contains { $0.id.kind == .library })
    }

    @Test("A window goes on with the tab that it showed in a space")
    func back() async throws {
        let host = try await host()
        let library = host.windows.library
        let window = try await host.window("x")
        try window.show(home.id)
        try window.activate(library[1])
        try window.show(work.id)
        try window.activate(library[2])
        expect(window.tabsOnScreen.map(\.title), is: ["c", "x"])
        try await host.restorer.save()
        host.storage.forgetCalls()
        try window.show(home.id)
        expect(window.tabOnScreen?.title, is: "b")
        try await host.restorer.save()
        expect(host.storage.savedSets.flatMap(\.changes).count, is: 1)
        expect(window.tabs.activeTab == nil)
        try window.show(nil)
        expect(window.space == nil && window.tabsOnScreen.map(\.title) == ["x"])
        expect(window.tabOnScreen?.title, is: "x")
        try window.show(work.id)
        expect(window.tabOnScreen?.title, is: "c")
        // A host may activate the window's own tabs in its list.
        try window.tabs.activate(window.tabs[0])
        expect(window.tabOnScreen?.title, is: "x")
        expect(throws: TabListError.unknownNode(NodeID(high: 1, low: 1))) {
            try window.show(NodeID(high: 1, low: 1))
        }
    }

    @Test(
        "A blank window that is closed last overwrites nothing",
        .bug("https://github.com/zen-browser/desktop/issues/9263"))
    func blankWindow() async throws {
        let host = try await host()
        let window = try await host.window("x")
        let before = host.windows.library.outline
        let blank = try host.windows.open()
        try host.windows.close(window)
        try host.windows.close(blank)
        let next = try await relaunched(host)
        expect(next.windows.library.outline, is: before)
        let last = try await relaunched(next)
        expect(last.windows.library.outline, is: before)
    }

    @Test(
        "Spaces in another order are one record each, and a space without tabs stays",
        .bug("https://github.com/zen-browser/desktop/issues/9313"),
        .bug("https://github.com/Floorp-Projects/Floorp/issues/779"))
    func reordered() async throws {
        var host = try await host()
        try host.windows.library.create(StructureNode.space(name: "Empty"), at: .top())
        for _ in 0..<3 {
            let library = host.windows.library
            let last = try require(library.nodes.last)
            try library.update(last.named("\(last.name)!"))
            try await host.restorer.save()
            host.storage.forgetCalls()
            try library.move(library.children(of: nil)[0], to: .top())
            try await host.restorer.save()
            expect(host.storage.savedSets.flatMap(\.changes).count, is: 1)
            let before = host.windows.library.outline
            host = try await relaunched(host)
            expect(host.windows.library.outline, is: before)
        }
        expect(host.windows.library.outline, is: ["Home!", "  a", "  b", "Work!", "  c", "Empty!"])
    }

    @Test(
        "A tab keeps its container, whatever space it is in, and whether it was loaded or closed",
        .bug("https://github.com/Floorp-Projects/Floorp/issues/1192"),
        .bug("https://github.com/mozilla/multi-account-containers/issues/1867"))
    func containers() async throws {
        let host = try await host()
        let library = host.windows.library
        let bank = StructureNode(.container, place: .middle, name: "Bank")
        try library.create(bank, at: .top())
        var space = try require(library.node(work.id))
        space.container = bank.id
        try library.update(space)
        expect(library.containerForNewTabs(in: work), is: bank.id)
        try library.insert(tab("d", container: bank.id), as: TabInsertion(.inside(home.id)))
        let unknown = NodeID(high: 7, low: 7)
        try library.insert(tab("e", container: unknown), as: TabInsertion(.inside(work.id)))
        let opened = try library.open("https://f.example/", from: library[2])
        expect(opened.container, is: bank.id)
        let id = opened.id
        try library.close(id)
        let next = try await relaunched(host)
        let restored = next.windows.library
        expect(restored.map { $0.container }, is: [nil, nil, bank.id, nil, unknown])
        expect(restored.first?.isRealized, is: false)
        let back = try next.restorer.closed.reopen(id)
        expect(back.container == bank.id && next.restorer.closed.tabs.isEmpty)
    }

    @Test(
        "A tab that was closed in a space comes back there, whatever the windows show",
        .bug("https://github.com/zen-browser/desktop/issues/10286"))
    func closedInASpace() async throws {
        let host = try await host()
        let window = try await host.window("x")
        try window.show(work.id)
        let (library, before) = (host.windows.library, host.windows.library.outline)
        try library.close(library[0])
        try library.closeAll(in: work)
        expect(host.windows.library.outline == ["Home", "  b"] && window.space == nil)
        let next = try await relaunched(host)
        expect(next.restorer.closed.tabs.map(\.window), is: [nil, nil])
        while let closed = next.restorer.closed.tabs.last {
            try next.restorer.closed.reopen(closed.id)
        }
        expect(next.windows.library.outline, is: before)
        expect(next.windows.first?.space?.name, is: "Work")
    }

    @Test(
        "In a crash loop the tabs of spaces are set aside, the spaces stay, and the tabs come back to them"
    )
    func crashLoop() async throws {
        var host = try await Host.firstProcess()
        host.windows.structureRules = .everything
        let library = host.windows.library
        try library.create(home, at: .top())
        try library.insert(tab("a"), as: TabInsertion(.inside(home.id)))
        try library.insert(tab("b"), as: TabInsertion(.inside(home.id)))
        try library.create(StructureNode.group(name: "G"), of: [library[0]])
        try library.create(work, at: .top())
        try library.insert(tab("c"), as: TabInsertion(.inside(work.id)))
        try library.insert(tab("d"), as: TabInsertion(.inside(work.id)))
        try library.create(StructureNode.folder(name: "F"), of: [library[3]])
        try library.create(StructureNode.group(name: "H"), of: [library[2]])
        try library.create(StructureNode.folder(name: "I"), of: [library[2]])
        let outline = library.outline
        _ = try await host.window("x")
        for _ in 0..<8 where host.restorer.report?.launch.decision != .setAside(.crashLoop) {
            try await host.restorer.save()
            host = try await host.killed()
        }
        expect(host.restorer.report?.launch.decision, is: .setAside(.crashLoop))
        expect(host.windows.library.outline, is: ["Home", "Work", "  F"])
        expect(host.restorer.report?.setAside.map(\.tabs).sorted(), is: [1, 4])
        try await host.restorer.save()
        let next = try await host.killed(after: .seconds(100_000))
        expect(next.windows.library.outline, is: ["Home", "Work", "  F"])
        next.windows.structureRules = .everything
        for session in next.restorer.setAside.sessions {
            let back = try await next.restorer.setAside.bringBack(session.id)
            expect(back.sessionID, is: session.originalSession ?? back.sessionID)
            expect(back.tabs.allSatisfy { !$0.isRealized })
        }
        expect(next.windows.library.outline, is: outline)
        expect(next.windows.windows(of: .regular).map(\.titles), is: [["x"]])
        try await next.restorer.save()
        let last = try await next.killed(boot: "later")
        expect(last.windows.library.outline, is: outline)
    }

    @Test("The library of the incognito partition goes with the last private tab in a window")
    func incognito() async throws {
        let host = try await Host.launched()
        let secret = host.windows.incognito
        try secret.library.create(home, at: .top())
        try secret.library.insert(tab("hidden"), as: TabInsertion(.inside(home.id)))
        let window = try await host.window("s", kind: .incognito)
        try window.show(home.id)
        expect(window.tabsOnScreen.map(\.title), is: ["hidden", "s"])
        expect(host.windows.library.isEmpty && host.windows.library.nodes.isEmpty)
        let next = try await relaunched(host)
        expect(next.windows.incognito.library.map(\.title), is: ["hidden"])
        next.windows.incognito[0].tabs.closeAll(reason: .user)
        await next.waitUntilIdle()
        expect(next.windows.incognito.library.isEmpty)
        let base = try require(next.storage.base as? MemoryStorage)
        expect(!base.snapshots.contains { $0.id.partition == .incognito })
    }
}

extension StructureNode {
    fileprivate func named(_ name: String) -> StructureNode {
        var node = self
        node.name = name
        return node
    }
}
