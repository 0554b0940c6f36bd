import BrowserModel
import BrowserSessions
import CommandLineSupport

extension Browser {
    /// Returns the window as an outline, with the numbers that commands use.
    func tabLines() -> [String] {
        let shown = window.tabOnScreen
        var lines = Outline(window.tabs, mark: "", shown: shown).lines
        if let space = window.space {
            let tabs = tabsOfSpace.enumerated().map { number, tab in
                "\(tab === shown ? ">" : " ")   s\(number + 1) \(Outline.text(of: tab, []))"
            }
            lines = ["  space \(space.name)"] + tabs + lines
        }
        if lines.isEmpty { lines = ["  (no tabs)"] }
        guard let hidden = incognito?.tabs else { return lines }
        return lines + Outline(hidden, mark: "i", shown: hidden.activeTab).lines
    }
}

/// A list of tabs as indented lines: what is in a folder below its name, panes behind a bar, and
/// branches behind a corner. What a collapsed folder hides has no lines, except for the active tab.
private struct Outline {
    private(set) var lines: [String] = []
    private let list: TabList
    /// What is before the numbers.
    private let mark: String
    private let shown: Tab?
    private var tabs = 0
    private var nodes = 0
    /// How deep the collapsed folder is that the next rows may be in.
    private var hidingDepth: Int?

    init(_ list: TabList, mark: String, shown: Tab?) {
        (self.list, self.mark, self.shown) = (list, mark, shown)
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
            guard !isHidden || tab === shown else { return }
            lines.append("\(tab === shown ? ">" : " ") \(indent)\(tabs) \(text(of: tab))")
        // What a window shows of a space has lines of its own.
        case .node(let node) where node.kind == .view: return
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
        Self.text(
            of: tab,
            (tab.isPinned ? ["pinned"] : []) + (list.isIncognito ? ["incognito"] : []))
    }

    static func text(of tab: Tab, _ notes: [String]) -> String {
        let all = [tab.isRealized ? "realized" : "unrealized"] + notes
        return "\(tab.title) <\(tab.url)> (\(all.joined(separator: ", ")))"
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
