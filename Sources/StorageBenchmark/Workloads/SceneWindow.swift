import BrowserSessions
import SessionSamples

/// The expected content of a window.
struct SceneWindow: Sendable {
    var id: SessionID
    var attributes: SessionAttributes
    /// The tabs, in order.
    var tabs: [TabMetadata]
    /// The groups, in order.
    var nodes: [StructureNode]

    init(_ snapshot: SessionSnapshot) {
        id = snapshot.id
        attributes = snapshot.attributes
        tabs = snapshot.tabs.map(\.metadata)
        nodes = snapshot.nodes
    }

    /// The entire content, as one set.
    var changes: SessionChanges {
        var changes = SessionChanges()
        changes.put(attributes, for: id)
        for node in nodes { changes.put(node, in: id) }
        for tab in tabs { changes.put(tab, in: id) }
        return changes
    }

    /// The index of the tab that moves, which is in the middle.
    var moverIndex: Int { tabs.count / 2 }

    func key(of tab: TabMetadata) -> TabStateKey {
        TabStateKey(tab: tab.id, name: .native, in: id)
    }

    /// Returns one of the first tabs after it has loaded another page.
    mutating func changedTab(
        below count: Int? = nil, _ sampler: inout SessionSampler
    ) -> TabMetadata {
        let index = sampler.generator.integer(in: 0...(count ?? tabs.count) - 1)
        sampler.mutate(&tabs[index])
        return tabs[index]
    }

    /// Changes some of the tabs, as browsing between two restore points does.
    mutating func changeTabs(_ changes: inout SessionChanges, _ sampler: inout SessionSampler) {
        let chosen = Set(
            (0..<min(50, tabs.count / 2)).map { _ in
                sampler.generator.integer(in: 0...tabs.count - 1)
            })
        for index in chosen.sorted() {
            sampler.mutate(&tabs[index])
            changes.put(tabs[index], in: id)
        }
    }

    /// Removes the middle tab from its group and openers, so that moving it needs no repairs.
    mutating func freeMover() {
        let index = moverIndex
        guard tabs.indices.contains(index) else { return }
        if let group = tabs[index].group {
            for member in tabs.indices where tabs[member].group == group {
                tabs[member].group = nil
            }
            nodes.removeAll { $0.id == group }
        }
        let id = tabs[index].id
        tabs[index].opener = nil
        tabs[index].isPinned = false
        for other in tabs.indices where tabs[other].opener?.tab == id { tabs[other].opener = nil }
        if attributes.activeTab == id { attributes.activeTab = tabs.first?.id }
    }

    // MARK: - Comparing

    /// Throws a ``WrongAnswer`` if a store does not hold the window.
    func check(in store: MeasuredStore) async throws { try check(try await store.restore(id)) }

    /// Throws a ``WrongAnswer`` if a restored session is not the window.
    func check(_ found: RestoredSession?) throws {
        guard let found else { throw WrongAnswer("a session of \(tabs.count) tabs is not there") }
        try WrongAnswer.unless(
            found.id == id && found.attributes == attributes,
            "the attributes of a session are not as they were saved")
        try WrongAnswer.unless(
            found.nodes == nodes, "the groups of a session are not as they were saved")
        try WrongAnswer.unless(
            found.tabs.count == tabs.count, "\(found.tabs.count) tabs came back of \(tabs.count)")
        if let place = tabs.indices.first(where: { tabs[$0] != found.tabs[$0] }) {
            throw WrongAnswer("tab \(place + 1) of \(tabs.count) is not as it was saved")
        }
        try WrongAnswer.unless(
            found.provenance == .intact && found.losses.isEmpty,
            "a session came back as \(found.provenance.rawValue)")
    }
}

// MARK: - Other forms with the same tabs

extension SceneWindow {
    /// Returns the window in another form.
    func changed(_ change: (inout Self) -> Void) -> Self {
        var window = self
        change(&window)
        return window
    }

    /// Takes all tabs out of their groups and pins none.
    mutating func flatten() {
        nodes = []
        for index in tabs.indices { (tabs[index].parent, tabs[index].zone) = (nil, .normal) }
    }

    /// Puts all tabs into groups, each fifth one at the top and the others each in the one before it.
    mutating func nest() {
        flatten()
        let count = min(500, tabs.count / 2)
        guard count > 0 else { return }
        let starts = (0..<count).map { $0 * tabs.count / count } + [tabs.count]
        for number in 0..<count {
            var group = StructureNode.group(
                id: NodeID(high: 0xF0, low: UInt64(number)), name: "Group \(number)", color: .cyan)
            group.place = tabs[starts[number]].place
            if !number.isMultiple(of: 5) { group.parent = nodes.last?.id }
            nodes.append(group)
            for index in starts[number]..<starts[number + 1] { tabs[index].parent = group.id }
        }
    }

    /// Puts all tabs into folders of 20, each fifth one at the top and the others each in the one before
    /// it. In each, two tabs branch from the second one, and two more are the panes of a split.
    mutating func grow() {
        flatten()
        var folder: NodeID?
        for (number, start) in stride(from: 0, to: tabs.count, by: 20).enumerated() {
            var group = StructureNode.group(
                id: nodeID(2 * number), name: "Folder \(number)", color: .cyan)
            (group.style, group.place) = ("folder", tabs[start].place)
            if !number.isMultiple(of: 5) { group.parent = folder }
            nodes.append(group)
            folder = group.id
            let end = min(start + 20, tabs.count)
            for index in start..<end { tabs[index].parent = group.id }
            guard end - start > 6 else { continue }
            for index in start + 2...start + 3 {
                tabs[index].parent = NodeID(tabs[start + 1].id)
                tabs[index].edge = .branch
            }
            var split = StructureNode(
                id: nodeID(2 * number + 1), .split, place: tabs[start + 4].place)
            split.parent = group.id
            nodes.append(split)
            for index in start + 4...start + 5 { tabs[index].parent = split.id }
        }
    }

    /// Puts up to 300 tabs in the middle into one group, and all others into none. Returns their indices.
    mutating func gather() -> Range<Int> {
        flatten()
        let count = min(300, max(1, tabs.count / 3))
        let home = moverIndex..<min(moverIndex + count, tabs.count)
        var group = StructureNode.group(id: nodeID(0), name: "A group", color: .cyan)
        group.place = tabs[home.lowerBound].place
        for index in home { tabs[index].parent = group.id }
        nodes = [group]
        return home
    }

    /// Returns an identifier that no other window of the store has.
    private func nodeID(_ number: Int) -> NodeID {
        NodeID(high: id.window.high, low: id.window.low &+ UInt64(number))
    }
}
