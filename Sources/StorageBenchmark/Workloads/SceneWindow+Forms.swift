import BrowserSessions

/// Other forms of a window with the same tabs.
extension SceneWindow {
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

    /// Puts up to 300 tabs in the middle into one group, and all others into none. Returns the group.
    mutating func gather() -> StructureNode {
        flatten()
        let count = min(300, max(1, tabs.count / 3))
        let home = moverIndex..<min(moverIndex + count, tabs.count)
        var group = StructureNode.group(id: nodeID(0), name: "A group", color: .cyan)
        group.place = tabs[home.lowerBound].place
        for index in home { tabs[index].parent = group.id }
        nodes = [group]
        return group
    }

    /// Returns an identifier that no other window of the store has.
    private func nodeID(_ number: Int) -> NodeID {
        NodeID(high: id.window.high, low: id.window.low &+ UInt64(number))
    }
}
