import BrowserModel
import BrowserSessions

/// A line of the sidebar: a folder or group, or a tab.
struct SidebarRow: Equatable {
    let id: NodeID
    let depth: Int
    let text: String
    /// Whether a click hides or shows what is in it.
    let isHeader: Bool
}

extension TabList {
    /// The rows of the sidebar; `[]` if there are only tabs, none below another one.
    ///
    /// A split has no row of its own: its panes have bars. A collapsed folder hides what is in it, except for
    /// the active tab.
    var sidebarRows: [SidebarRow] {
        let rows = forest.rows
        guard rows.count > count || rows.contains(where: { $0.depth > 0 }) else { return [] }
        var shown: [SidebarRow] = []
        var hidingDepth: Int?
        for row in rows {
            let (parent, edge) = row.above
            if let hiding = hidingDepth,
                row.depth <= hiding || row.depth == hiding + 1 && edge == .branch
            {
                hidingDepth = nil
            }
            let splits = ancestors(of: row.id).count { node($0)?.kind == .split }
            let isPane = edge == .member && parent.flatMap { node($0) }?.kind == .split
            let depth = row.depth - splits
            switch row.content {
            case .tab(let data):
                guard let tab = tab(data.id), hidingDepth == nil || tab === activeTab else {
                    continue
                }
                let text = (isPane ? "┃ " : "") + tab.label
                shown.append(SidebarRow(id: row.id, depth: depth, text: text, isHeader: false))
            case .node(let node):
                guard hidingDepth == nil else { continue }
                if node.isCollapsed { hidingDepth = row.depth }
                guard node.kind != .split else { continue }
                let text = (node.isCollapsed ? "▸ " : "▾ ") + node.name
                shown.append(SidebarRow(id: row.id, depth: depth, text: text, isHeader: true))
            }
        }
        return shown
    }

    /// Returns the tabs that are shown together with a tab, in order: the panes of its split, or the tab.
    func panes(with tab: Tab) -> (tabs: [Tab], axis: SplitAxis) {
        var place = NodeID(tab.id)
        while let parent = ancestors(of: place).first, node(parent)?.kind == .split,
            children(of: parent).contains(place)
        {
            place = parent
        }
        return (panes(in: place), node(place)?.axis ?? .row)
    }

    private func panes(in place: NodeID) -> [Tab] {
        if let tab = tab(TabID(place)) { return [tab] }
        return children(of: place).flatMap { panes(in: $0) }
    }
}

extension SessionForest.Row {
    /// The node that it is below, and how.
    fileprivate var above: (parent: NodeID?, edge: NodeEdge) {
        switch content {
        case .tab(let tab): (tab.parent, tab.edge)
        case .node(let node): (node.parent, node.edge)
        }
    }
}
