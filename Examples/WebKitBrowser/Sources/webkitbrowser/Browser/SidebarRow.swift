import BrowserModel
import BrowserSessions

/// A line of the sidebar: a space, folder or group, or a tab.
struct SidebarRow: Equatable {
    let id: NodeID
    let depth: Int
    let text: String
    /// Whether a click hides or shows what is in it.
    let isHeader: Bool
}

extension Window {
    /// Returns the rows of the sidebar: the space on screen with its tabs, then the window's own; `[]` if
    /// there are only tabs, none below another one.
    func sidebarRows(with library: TabList) -> [SidebarRow] {
        let own = tabs.forest.rows
        guard let space else {
            return own.contains { $0.isStructure } ? tabs.sidebarRows(of: own, tabOnScreen) : []
        }
        let rows = library.forest.rows.drop { $0.id != space.id }
        let shared = rows.prefix(1) + rows.dropFirst().prefix { $0.depth > 0 }
        return library.sidebarRows(of: shared, tabOnScreen) + tabs.sidebarRows(of: own, tabOnScreen)
    }
}

extension TabList {
    /// Returns the rows of the sidebar for some of the list's forest.
    ///
    /// A split has no row of its own: its panes have bars. A view of a space has none, either. What is
    /// collapsed hides what is in it, except for the tab on screen.
    fileprivate func sidebarRows(
        of rows: some Sequence<SessionForest.Row>, _ active: Tab?
    ) -> [SidebarRow] {
        var shown: [SidebarRow] = []
        var hidingDepth: Int?
        for row in rows {
            let (parent, edge) = row.above
            if let hiding = hidingDepth,
                row.depth <= hiding || row.depth == hiding + 1 && edge == .branch
            {
                hidingDepth = nil
            }
            let rowless = ancestors(of: row.id).count { node($0)?.hasRow == false }
            let isPane = edge == .member && parent.flatMap { node($0) }?.kind == .split
            let depth = row.depth - rowless
            switch row.content {
            case .tab(let data):
                guard let tab = tab(data.id), hidingDepth == nil || tab === active else {
                    continue
                }
                let text = (isPane ? "┃ " : "") + tab.label
                shown.append(SidebarRow(id: row.id, depth: depth, text: text, isHeader: false))
            case .node(let node):
                guard hidingDepth == nil else { continue }
                if node.isCollapsed { hidingDepth = row.depth }
                guard node.hasRow else { continue }
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

extension StructureNode {
    fileprivate var hasRow: Bool { kind != .split && kind != .view }
}

extension SessionForest.Row {
    /// Whether it is more than a tab of the window, or below something.
    fileprivate var isStructure: Bool {
        if case .node(let node) = content, node.kind != .view { return true }
        return depth > 0
    }

    /// The node that it is below, and how.
    fileprivate var above: (parent: NodeID?, edge: NodeEdge) {
        switch content {
        case .tab(let tab): (tab.parent, tab.edge)
        case .node(let node): (node.parent, node.edge)
        }
    }
}
