import BrowserModel
import BrowserSessions
import SessionTesting

@testable import SessionRestoration

/// What a user does with folders, splits and trees. What the rules refuse changes nothing.
extension RandomHost {
    func arrangeNodes() {
        guard let window = pick(onScreen) else { return }
        do throws(TabListError) {
            if chance(6) { try arrangeSpaces(for: window) } else { try arrangeNodes(of: window) }
        } catch {
            note("refused: \(error)")
        }
    }

    /// What a user does with the spaces that all windows share.
    private func arrangeSpaces(for window: Window) throws(TabListError) {
        guard !window.isIncognito else { return }
        let library = windows.library
        let space = pick(library.nodes.filter { $0.kind == .space })
        switch number(0..<5) {
        case 0:
            note("a space")
            try library.create(node(.space, style: ""), at: .top(.normal, .first))
        case 1:
            note("\(label(window)) shows \(space?.name ?? "no space")")
            try window.show(space?.id)
        case 2:
            guard let space else { return }
            let tabs = try window.tabs.transfer(
                some(of: window.tabs), to: library, at: .inside(space.id))
            note("\(tabs.map(\.title)) of \(label(window)) go to \(space.name)")
        case 3:
            let tabs = try library.transfer(
                some(of: library), to: window.tabs, at: target(in: window.tabs))
            note("\(tabs.map(\.title)) of the library go to \(label(window))")
        default:
            note("move in the library")
            try library.move(some(of: library), to: target(in: library))
        }
    }

    private func arrangeNodes(of window: Window) throws(TabListError) {
        let list = window.tabs
        switch number(0..<12) {
        case 0, 1:
            note("group in \(label(window))")
            try list.create(node(.group, style: chance(2) ? "" : "folder"), of: some(of: list))
        case 2:
            note("split in \(label(window))")
            try list.create(node(.split, style: ""), of: some(of: list))
        case 3:
            note("folder in \(label(window))")
            try list.create(node(.group, style: "folder"), at: target(in: list))
        case 4: try list.dissolve(pick(list.nodes)?.id ?? .random(using: &generator))
        case 5: try update(list)
        case 6: try close(in: window)
        case 7:
            guard let other = pick(partition(window.isIncognito).filter({ $0 !== window }))
            else {
                return
            }
            let tabs = try list.transfer(some(of: list), to: other.tabs, at: target(in: other.tabs))
            note("transfer \(tabs.map(\.title)) and nodes to \(label(other))")
        case 8:
            let name = name()
            let tab = Tab(
                id: .random(using: &generator), url: "https://\(name).example/", title: name,
                createdAt: host.clock.timestamp)
            try list.insert(tab, as: TabInsertion(target(in: list)))
            note("open \(name) in \(label(window)), in its structure")
        default:
            try list.move(some(of: list), to: target(in: list))
            note("move in the structure of \(label(window))")
        }
    }

    private func update(_ list: TabList) throws(TabListError) {
        guard var node = pick(list.nodes) else { return }
        (node.name, node.isCollapsed) = (name(), chance(2))
        note("node \(node.id) is \(node.name)")
        try list.update(node)
    }

    private func close(in window: Window) throws(TabListError) {
        guard let node = pick(window.tabs.nodes) else { return }
        let tabs = window.tabs.range(of: node).map { window.tabs[$0] }.map(Array.init) ?? []
        guard window.tabs.count > tabs.count else { return }
        note("close \(tabs.count) tabs of a node of \(label(window))")
        willClose(tabs, in: window, .user)
        try window.tabs.closeAll(in: node)
    }

    private func node(_ kind: StructureNode.Kind, style: String) -> StructureNode {
        var node = StructureNode(id: .random(using: &generator), kind, place: .middle, name: name())
        node.style = style
        return node
    }

    private func some(of list: TabList) -> [NodeID] {
        let all = list.nodes.map(\.id) + list.tabs.map { NodeID($0.id) }
        return (0..<number(1..<4)).compactMap { _ in pick(all) }
    }

    private func target(in list: TabList) -> NodeTarget {
        let all = list.nodes.map(\.id) + list.tabs.map { NodeID($0.id) }
        let position = chance(2) ? NodeTarget.Position.first : .last
        guard !chance(3), let parent = pick(all) else {
            return .top(pick([NodeZone.normal, .pinned, .essential]) ?? .normal, position)
        }
        return chance(2) ? .inside(parent, position) : .below(parent, position)
    }
}
