import BrowserModel
import BrowserSessions
import CommandLineSupport

extension Browser {
    /// Returns the window as an outline, with the numbers that commands use.
    func tabLines() -> [String] {
        var lines = Outline(window.tabs, mark: "").lines
        if lines.isEmpty { lines = ["  (no tabs)"] }
        return lines + (incognito.map { Outline($0.tabs, mark: "i").lines } ?? [])
    }
}

/// A list of tabs as indented lines: what is in a folder below its name, panes behind a bar, and
/// branches behind a corner. What a collapsed folder hides has no lines, except for the active tab.
private struct Outline {
    private(set) var lines: [String] = []
    private let list: TabList
    /// What is before the numbers.
    private let mark: String
    private var tabs = 0
    private var nodes = 0
    /// How deep the collapsed folder is that the next rows may be in.
    private var hidingDepth: Int?

    init(_ list: TabList, mark: String) {
        (self.list, self.mark) = (list, mark)
        for row in list.forest.rows { add(row) }
    }

    private mutating func add(_ row: SessionForest.Row) {
        let (parent, edge) = row.above
        let isHidden = hides(row.depth, edge)
        let sign =
            if edge == .branch { "└ " } else if isSplit(parent) { "| " } else { "" }
        let indent = String(repeating: "  ", count: row.depth) + sign + mark
        switch row.content {
        case .tab:
            let tab = list[tabs]
            tabs += 1
            guard !isHidden || tab === list.activeTab else { return }
            lines.append("\(tab === list.activeTab ? ">" : " ") \(indent)\(tabs) \(text(of: tab))")
        case .node(let node):
            nodes += 1
            guard !isHidden else { return }
            if node.isCollapsed { hidingDepth = row.depth }
            lines.append("  \(indent)n\(nodes) \(text(of: node))")
        }
    }

    /// Returns whether a collapsed folder above a row hides it. Branches of the folder are not in it.
    private mutating func hides(_ depth: Int, _ edge: NodeEdge) -> Bool {
        guard let hiding = hidingDepth else { return false }
        if depth > hiding + 1 || depth == hiding + 1 && edge != .branch { return true }
        hidingDepth = nil
        return false
    }

    private func isSplit(_ id: NodeID?) -> Bool { id.flatMap { list.node($0) }?.kind == .split }

    private func text(of tab: Tab) -> String {
        var notes = [tab.isRealized ? "realized" : "unrealized"]
        if tab.isPinned { notes.append("pinned") }
        if list.isOffTheRecord { notes.append("incognito") }
        return "\(tab.title) <\(tab.url)> (\(notes.joined(separator: ", ")))"
    }

    private func text(of node: StructureNode) -> String {
        let count = list.range(of: node)?.count ?? 0
        var notes = [node.style.isEmpty ? node.kind.rawValue : node.style]
        if node.isCollapsed { notes.append("collapsed with \(counted(count, "tab"))") }
        if list.zone(of: node) == .pinned { notes.append("pinned") }
        let sign = node.isCollapsed ? "▸" : node.kind == .split ? "" : "▾"
        return [sign, node.name, "(\(notes.joined(separator: ", ")))"].filter { !$0.isEmpty }
            .joined(separator: " ")
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
