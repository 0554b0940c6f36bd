/// A session as a list of tabs in flat groups, for hosts and formats that know nothing else.
///
/// Pinned tabs come first. Each tab is in the innermost group above it, which the path of names
/// names, such as `Work / Read`; a group's own tabs come before those of the groups in it. What else
/// is above a tab, such as a split or a space, is left out, and so is how tabs are below tabs.
package struct FlatTabList: Hashable, Sendable {
    /// The tabs in order: parents are groups of ``groups``, and edges are those of members.
    package var tabs: [TabMetadata] = []
    /// The groups that have tabs, in order, at the top.
    package var groups: [StructureNode] = []
    /// The number of nodes, and of tabs below other tabs, that the list does not show as they are.
    package var hiddenCount = 0

    /// Flattens the tabs and nodes of a session. Its rules must hold.
    package init(tabs: [TabMetadata], nodes: [StructureNode]) {
        guard !Self.isFlat(tabs, nodes) else {
            (self.tabs, groups) = (tabs, nodes)
            return
        }
        var builder = Builder()
        for row in SessionForest(tabs: tabs, nodes: nodes).rows { builder.add(row) }
        (self.tabs, groups, hiddenCount) = (builder.list, builder.usedGroups, builder.hiddenCount)
    }

    /// Flattens a snapshot. Its rules must hold.
    package init(_ session: SessionSnapshot) {
        self.init(tabs: session.tabs.map(\.metadata), nodes: session.nodes)
    }

    /// Whether there is nothing but groups of tabs at the top.
    private static func isFlat(_ tabs: [TabMetadata], _ nodes: [StructureNode]) -> Bool {
        nodes.allSatisfy { $0.kind == .group && $0.parent == nil && $0.zone == .normal }
            && tabs.allSatisfy { tab in
                tab.parent == nil
                    ? tab.zone == .normal || tab.zone == .pinned
                    : tab.edge == .member && tab.zone == .normal
            }
    }

    /// Puts the rows of a forest into runs.
    private struct Builder {
        private var pinned: [TabMetadata] = []
        /// Tabs without a group, or all of one, in order.
        private var runs: [(group: Int?, tabs: [TabMetadata])] = []
        private var groups: [StructureNode] = []
        private var runOfGroup: [Int] = []
        /// What is above the next row.
        private var path: [(group: Int?, name: String, isPinned: Bool)] = []
        private(set) var hiddenCount = 0

        var list: [TabMetadata] { pinned + runs.flatMap(\.tabs) }
        var usedGroups: [StructureNode] {
            runs.compactMap { run in run.tabs.isEmpty ? nil : run.group.map { groups[$0] } }
        }

        mutating func add(_ row: SessionForest.Row) {
            path.removeLast(path.count - row.depth)
            let above = path.last
            switch row.content {
            case .tab(var tab):
                let isPinned = above?.isPinned ?? (tab.zone != .normal)
                if tab.edge != .member { hiddenCount += 1 }
                let group = isPinned ? nil : above?.group
                (tab.parent, tab.edge) = (group.map { groups[$0].id }, .member)
                tab.zone = isPinned ? .pinned : .normal
                if isPinned { pinned.append(tab) } else { put(tab, group) }
                path.append((above?.group, above?.name ?? "", isPinned))
            case .node(let node):
                let isPinned = above?.isPinned ?? (node.zone != .normal)
                let isPlain = node.kind == .group && row.depth == 0 && !isPinned
                if !isPlain { hiddenCount += 1 }
                guard node.kind == .group else {
                    return path.append((above?.group, above?.name ?? "", isPinned))
                }
                let names = [above?.name ?? "", node.name].filter { !$0.isEmpty }
                let name = names.joined(separator: " / ")
                path.append((isPinned ? nil : add(node, named: name), name, isPinned))
            }
        }

        private mutating func add(_ node: StructureNode, named name: String) -> Int {
            var group = node
            (group.parent, group.edge, group.name) = (nil, .member, name)
            groups.append(group)
            runOfGroup.append(runs.count)
            runs.append((groups.count - 1, []))
            return groups.count - 1
        }

        private mutating func put(_ tab: TabMetadata, _ group: Int?) {
            if let group { return runs[runOfGroup[group]].tabs.append(tab) }
            if runs.last.map({ $0.group == nil }) == true {
                runs[runs.count - 1].tabs.append(tab)
            } else {
                runs.append((nil, [tab]))
            }
        }
    }
}
