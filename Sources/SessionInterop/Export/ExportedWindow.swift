import BrowserSessions

/// A list of tabs that files have as one window: that of a session, or a space of a library.
struct ExportedWindow {
    var id: SessionID
    var attributes: SessionAttributes
    var list: FlatTabList

    /// Returns the windows of a session: one for each space of a library, named like the space, and one for
    /// what is in none; just one for any other session. A space counts as a node that is not held as it is.
    static func windows(
        of id: SessionID, _ attributes: SessionAttributes, tabs: [TabMetadata],
        nodes: [StructureNode]
    ) -> [ExportedWindow] {
        guard id.kind.role == .library, nodes.contains(where: { $0.kind == .space }) else {
            let list = FlatTabList(tabs: tabs, nodes: nodes)
            return [ExportedWindow(id: id, attributes: attributes, list: list)]
        }
        var parts = [Part()]
        for row in SessionForest(tabs: tabs, nodes: nodes).rows { Part.add(row, to: &parts) }
        return parts.map { part in
            var list = FlatTabList(tabs: part.tabs, nodes: part.nodes)
            guard let space = part.space else {
                return ExportedWindow(id: id, attributes: attributes, list: list)
            }
            list.hiddenCount += 1
            let kind: SessionKind = id.partition == .incognito ? .incognito : .regular
            var own = SessionAttributes()
            (own.title, own.activeTab) = (space.name, space.active)
            let window = WindowID(high: space.id.high, low: space.id.low)
            return ExportedWindow(
                id: SessionID(window: window, kind: kind), attributes: own, list: list)
        }
    }

    /// What is in a space; or in none of them.
    private struct Part {
        var space: StructureNode?
        var tabs: [TabMetadata] = []
        var nodes: [StructureNode] = []
        /// Whether the rows that come next are in the space.
        var isOpen = true

        /// Adds a row to the space that it is in, or to the first part. What is directly in a space comes to
        /// the top of its part.
        static func add(_ row: SessionForest.Row, to parts: inout [Part]) {
            if row.depth == 0 {
                parts[parts.count - 1].isOpen = false
                if case .node(let node) = row.content, node.kind == .space {
                    return parts.append(Part(space: node))
                }
            }
            let last = parts.count - 1
            let index = parts[last].isOpen ? last : 0
            let isTop = index > 0 && row.depth == 1
            switch row.content {
            case .tab(var tab):
                if isTop { (tab.parent, tab.edge) = (nil, .member) }
                parts[index].tabs.append(tab)
            case .node(var node):
                if isTop { (node.parent, node.edge) = (nil, .member) }
                parts[index].nodes.append(node)
            }
        }
    }
}
