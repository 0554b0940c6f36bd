import BrowserModel
import BrowserSessions
import Expectations

/// What a list does with folders, splits and trees.
struct TabListStructureTests {
    private let list = TabList(rules: .everything)

    private func fill(_ titles: String...) throws -> [Tab] {
        try titles.map { try list.insert($0, as: TabInsertion(at: list.count)) }
    }

    /// The list as text: `group(a -b(c))` is a group of a and b, and c branches from b.
    private var outline: String { outline(of: nil, .member) }

    private func outline(of parent: NodeID?, _ edge: NodeEdge) -> String {
        list.children(of: parent, edge).map { id in
            let own =
                list.node(id).map { node in
                    "\(node.style.isEmpty ? node.kind.rawValue : node.style)[\(outline(of: id, .member))]"
                } ?? list.tab(TabID(id))?.title ?? "?"
            let branches = outline(of: id, .branch)
            return branches.isEmpty ? own : "\(own)(\(branches))"
        }.joined(separator: " ")
    }

    @Test func closedParentLeavesItsBranchesInItsPlace() throws {
        let tabs = try fill("a", "b", "c", "d")
        try list.move([tabs[1], tabs[2]], to: .below(tabs[0].nodeID))
        try list.move(tabs[3], to: .below(tabs[2].nodeID))
        expect(outline, is: "a(b c(d))")
        try list.close(tabs[2])
        expect(outline, is: "a(b d)")
        try list.close(tabs[0])
        expect(outline, is: "b d")
    }

    @Test func closedSubtreeLeavesNothing() throws {
        let tabs = try fill("a", "b", "c", "d")
        try list.move([tabs[1], tabs[2]], to: .below(tabs[0].nodeID))
        let folder = StructureNode.folder()
        try list.create(folder, at: .below(tabs[2].nodeID))
        try list.closeAll(in: tabs[0])
        expect(outline == "d" && list.nodes.isEmpty)
        expect(!tabs[..<3].contains { !$0.isClosed })
    }

    @Test func splitWithOnePaneGivesItsPlaceAndItsBranchesToThatPane() throws {
        let tabs = try fill("a", "b", "c", "d")
        let (outer, inner) = (StructureNode.split(), StructureNode.split())
        try list.create(outer, of: [tabs[0], tabs[1], tabs[2]])
        try list.create(inner, of: [tabs[0], tabs[1]], at: .inside(outer.id, .first))
        try list.move(tabs[3], to: .below(inner.id))
        expect(outline, is: "split[split[a b](d) c]")
        try list.close(tabs[0])
        expect(outline, is: "split[b(d) c]")
        try list.close(tabs[1])
        expect(outline, is: "c(d)")
    }

    @Test func emptyFolderStaysAndPlainGroupEnds() throws {
        let tabs = try fill("a", "b")
        let (folder, group) = (StructureNode.folder(), StructureNode.group())
        try list.create(folder, of: [tabs[0]])
        try list.create(group, of: [tabs[1]], at: .inside(folder.id))
        expect(outline, is: "folder[a group[b]]")
        try list.move(tabs[1], to: .top())
        expect(outline, is: "folder[a] b")
        try list.close(tabs[0])
        expect(outline, is: "folder[] b")
    }

    @Test func folderOf300TabsMovesAsOneChange() throws {
        for number in 0..<600 { try list.insert("\(number)", as: TabInsertion(at: number)) }
        let folder = StructureNode.folder()
        try list.create(folder, of: Array(list.tabs[0..<300]))
        let places = list.places
        let recorder = ListRecorder(list)
        try list.move(folder, to: .top())
        expect(recorder.log.count == 1 && recorder.log[0].hasPrefix("moved 0, 1, 2,"))
        expect(list.places, is: Array(places[300...] + places[..<300]))
        try list.move(folder, to: .top(.pinned))
        expect(list.pinnedCount == 300 && list[0].isPinned && !list[300].isPinned)
        expect(list[0].metadata.zone, is: .normal)
    }

    @Test func splitOfPinnedTabsStaysPinned() throws {
        let tabs = try fill("a", "b", "c")
        for tab in tabs { try list.pin(tab) }
        try list.split([tabs[1], tabs[2]])
        expect(outline == "a split[b c]" && list.pinnedCount == 3)
        let chromium = TabList(rules: .firefox)
        let other = try ["x", "y"].map { try chromium.insert($0, as: TabInsertion(isPinned: true)) }
        try chromium.split(other)
        expect(chromium.pinnedCount, is: 0)
    }

    @Test func pinnedGroupOfASpaceIsNotShownWhereGroupsAreNotPinned() throws {
        let all = try fill("a")
        let space = StructureNode.space()
        try list.create(space)
        let group = StructureNode.group()
        var target = NodeTarget.inside(space.id)
        target.zone = .pinned
        try list.create(group, of: all, at: target)
        expect(all[0].isPinned && all[0].group == group.id)
        let flat = TabList(rules: .flatGroups)
        let tabs = list.map {
            Tab(
                unrealized: $0.metadata, state: TabState()
            )
        }
        flat.restore(tabs, nodes: list.nodes, active: nil)
        expect(flat[0].isPinned && flat.groups.isEmpty && flat[0].group == nil)
    }

    @Test func subtreeKeepsItsIdentifiersInAnotherWindow() throws {
        let registry = TabRegistry()
        let (list, other) = (
            TabList(rules: .everything, registry: registry),
            TabList(rules: .everything, registry: registry)
        )
        let tabs = try ["a", "b", "c"].map { try list.insert($0) }
        let folder = StructureNode.folder()
        try list.create(folder, of: [tabs[0], tabs[1]])
        try list.move(tabs[2], to: .below(tabs[1].nodeID))
        let forest = list.forest
        expect(try list.transfer([folder], to: other, at: .top()).count == 3)
        expect(list.isEmpty && list.nodes.isEmpty)
        expect(other.forest.rows.map(\.id), is: forest.rows.map(\.id))
        expect(other.forest.rows.map(\.depth), is: forest.rows.map(\.depth))
    }

    @Test func partOfAGroupIsAGroupLikeItElsewhereAndJoinsItAgain() throws {
        let registry = TabRegistry()
        let list = try TabList.of("{a b} c", TabList(registry: registry))
        let other = TabList(registry: registry)
        try list.update(StructureNode.group(id: TabList.group(1), name: "News"))
        try list.transfer([list["a"]], to: other)
        expect(other.groups.map(\.name), is: ["News"])
        expect(other.groups.map(\.id) != list.groups.map(\.id))
        try other.transfer(other, to: list)
        expect(list.layout, is: "{b a} c")
    }

    @Test func replacedTabKeepsWhatBranchesFromIt() throws {
        let tabs = try fill("a", "b")
        try list.move(tabs[1], to: .below(tabs[0].nodeID))
        try list.replace(tabs[0], with: Tab(title: "new"))
        expect(outline, is: "new(b)")
    }

    @Test func openedTabsBranchInATreeAndNoDeeperThanAStoreKeeps() throws {
        let tree = TabList(rules: .trees)
        var tab = try tree.insert("0")
        for number in 1...100 {
            tab = try tree.open("https://\(number).example/", from: tab)
        }
        let depths = tree.forest.rows.map(\.depth)
        expect(depths.max(), is: SessionForest.maximumDepth)
        expect(ForestPropertyTests.faults(of: tree), is: [])
    }

    @Test func otherPaneIsActiveNextAndFoldedBranchesAreNot() throws {
        let tabs = try fill("a", "b", "c", "d")
        try list.split([tabs[0], tabs[3]])
        try list.activate(tabs[3])
        try list.close(tabs[3])
        expect(list.activeTab?.title, is: "a")
        try list.move(tabs[2], to: .below(tabs[1].nodeID))
        let group = StructureNode.group(isCollapsed: true)
        try list.create(group, of: [tabs[1]])
        expect(outline, is: "a group[b(c)]")
        let last = try list.insert("e")
        try list.activate(last)
        try list.close(last)
        expect(list.activeTab?.title, is: "a")
    }

    @Test func refusedChangesChangeNothing() throws {
        let tabs = try fill("a", "b", "c")
        let (group, pair) = (StructureNode.group(), StructureNode.split())
        try list.create(pair, of: [tabs[0], tabs[1]])
        let before = outline
        expect(throws: TabListError.breaksRule(pair.id, .belowItself)) {
            try list.move(pair, to: .below(tabs[0].nodeID))
        }
        expect(throws: TabListError.breaksRule(group.id, .pane)) {
            try list.create(group, of: [tabs[2]], at: .inside(pair.id))
        }
        expect(throws: TabListError.emptyNode(group.id)) { try list.create(group, at: .top()) }
        expect(throws: TabListError.duplicateNode(pair.id)) {
            try list.create(pair, of: [tabs[0], tabs[2]])
        }
        expect(throws: TabListError.unknownNode(group.id)) {
            try list.move(tabs[2], to: .inside(group.id))
        }
        expect(throws: TabListError.breaksRule(tabs[2].nodeID, .parent)) {
            try list.move(tabs[2], to: .inside(tabs[0].nodeID))
        }
        let flat = TabList()
        let tab = try flat.insert("x")
        let child = try flat.insert("y")
        expect(throws: TabListError.breaksRule(child.nodeID, .branches)) {
            try flat.move(child, to: .below(tab.nodeID))
        }
        expect(throws: TabListError.breaksRule(pair.id, .paneCount)) {
            try flat.create(.split(id: pair.id), of: [tab, child])
        }
        expect(outline == before && flat.nodes.isEmpty)
    }
}
