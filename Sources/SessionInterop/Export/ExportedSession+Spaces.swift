import BrowserSessions

extension ExportedSession {
    /// Returns the windows of a session: one for each space of a library, named like the space, and one for
    /// what is in none; just one for any other session. A space counts as a node that is not held as it is.
    static func windows(of session: RestoredSession, place: SessionPart?) -> [ExportedSession] {
        let (id, attributes) = (session.id, session.attributes)
        guard id.kind.role == .library, session.nodes.contains(where: { $0.kind == .space }) else {
            let list = FlatTabList(tabs: session.tabs, nodes: session.nodes)
            return [ExportedSession(id, attributes, list, place: place, isSpace: false)]
        }
        return parts(of: SessionForest(tabs: session.tabs, nodes: session.nodes)).map { part in
            var list = FlatTabList(tabs: part.tabs, nodes: part.nodes)
            guard let space = part.space else {
                return ExportedSession(id, attributes, list, place: place, isSpace: false)
            }
            list.hiddenCount += 1
            let kind: SessionKind = id.partition == .incognito ? .incognito : .regular
            var own = SessionAttributes()
            (own.title, own.activeTab) = (space.name, space.active)
            let window = WindowID(high: space.id.high, low: space.id.low)
            return ExportedSession(
                SessionID(window: window, kind: kind), own, list, place: place, isSpace: true)
        }
    }

    /// What is in a space; or in none of them.
    private struct Part {
        var space: StructureNode?
        var tabs: [TabMetadata] = []
        var nodes: [StructureNode] = []
    }

    /// Returns what is in no space, and then each space. What is directly in one comes to its top.
    private static func parts(of forest: SessionForest) -> [Part] {
        var (parts, current) = ([Part()], 0)
        for row in forest.rows {
            if row.depth == 0 { current = 0 }
            let isTop = current > 0 && row.depth == 1
            switch row.content {
            case .node(let space) where row.depth == 0 && space.kind == .space:
                current = parts.count
                parts.append(Part(space: space))
            case .tab(var tab):
                if isTop { (tab.parent, tab.edge) = (nil, .member) }
                parts[current].tabs.append(tab)
            case .node(var node):
                if isTop { (node.parent, node.edge) = (nil, .member) }
                parts[current].nodes.append(node)
            }
        }
        return parts
    }
}
