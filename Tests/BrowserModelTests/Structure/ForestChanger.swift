import BrowserModel
import BrowserSessions
import SessionSamples

/// Makes one random change of structure after another, in two lists that share a registry.
struct ForestChanger {
    static let kinds = 20
    let registry = TabRegistry()
    let lists: [TabList]
    let replicas: [ListReplica]
    var done: Set<Int> = []
    /// How many changes were not refused.
    private(set) var made = 0
    var random: SeededGenerator
    private var number = 0

    init(seed: UInt64, rules: StructureRules) {
        random = SeededGenerator(seed: seed)
        let registry = registry
        lists = (0..<2).map { _ in
            TabList(rules: rules, registry: registry, now: { Timestamp(microseconds: 5) })
        }
        replicas = lists.map { ListReplica($0, isFlat: false) }
    }

    mutating func change() -> String {
        let kind = random.integer(in: 0...Self.kinds - 1)
        let list = random.pick(lists)
        let result = Result { () throws(TabListError) in try change(kind, list) }
        if case .success = result {
            done.insert(kind)
            made += 1
        }
        return "\(kind): \(result)"
    }

    private mutating func change(_ kind: Int, _ list: TabList) throws(TabListError) {
        switch kind {
        case 0...3: try list.insert(tab(), as: TabInsertion(target(list)))
        case 4:
            let insertion = TabInsertion(
                inheritsOpener: random.chance(1, in: 2), activates: random.chance(1, in: 2))
            try list.insert(tab(), as: insertion)
        case 5...7: try list.move(some(of: list), to: target(list))
        case 8, 9: try list.create(node(), of: some(of: list))
        case 10: try list.create(node(), of: some(of: list), at: target(list))
        case 11: try list.create(node(style: "folder"), at: target(list))
        case 12: try list.dissolve(pick(list))
        case 13: try list.closeAll(in: random.chance(1, in: 3) ? pick(list) : NodeID(tab(of: list)))
        case 14: try list.close((0..<2).map { _ in tab(of: list) })
        case 15:
            try list.transfer(some(of: list), to: other(than: list), at: target(other(than: list)))
        case 16:
            try list.transfer((0..<4).map { _ in tab(of: list) }, to: other(than: list), at: .front)
        case 17:
            let tab = tab(of: list)
            _ = try random.chance(1, in: 2) ? list.pin(tab) : list.unpin(tab)
        case 18: try list.replace(tab(of: list), with: tab())
        default: try rearrange(list)
        }
    }

    private mutating func rearrange(_ list: TabList) throws(TabListError) {
        switch random.integer(in: 0...4) {
        case 0: try list.move(tab(of: list), to: random.integer(in: 0...list.count))
        case 1: try list.ungroup([tab(of: list)])
        case 2:
            let tabs = try list.detach((0..<3).map { _ in tab(of: list) })
            for tab in tabs { try other(than: list).insert(tab) }
        case 3:
            guard var node = list.node(pick(list)) else { return }
            (node.isCollapsed, node.name) = (random.chance(1, in: 2), "\(number)")
            try list.update(node)
        default:
            guard !list.isEmpty else { return }
            try list.activate(tab(of: list))
        }
    }

    private mutating func tab() -> Tab {
        number += 1
        return Tab(id: .random(using: &random), title: "\(number)")
    }

    private mutating func node(style: String = "") -> StructureNode {
        let kinds: [StructureNode.Kind] = [.group, .group, .group, .split, .split, .space]
        let kind = style.isEmpty ? random.pick(kinds) : .group
        var node = StructureNode(id: .random(using: &random), kind, place: .middle)
        node.style = style.isEmpty && random.chance(1, in: 3) ? "stack" : style
        return node
    }

    private func other(than list: TabList) -> TabList { list === lists[0] ? lists[1] : lists[0] }

    private mutating func tab(of list: TabList) -> TabID {
        list.isEmpty ? .random(using: &random) : random.pick(list.tabs).id
    }

    private mutating func pick(_ list: TabList) -> NodeID {
        list.nodes.isEmpty ? .random(using: &random) : random.pick(list.nodes).id
    }

    private mutating func some(of list: TabList) -> [NodeID] {
        (0..<random.integer(in: 1...3)).map { _ in
            random.chance(1, in: 3) ? pick(list) : NodeID(tab(of: list))
        }
    }

    private mutating func target(_ list: TabList) -> NodeTarget {
        let zone = random.pick([NodeZone.normal, .normal, .pinned, .essential])
        let parent =
            random.chance(1, in: 3) || list.isEmpty
            ? nil : random.chance(1, in: 2) ? NodeID(tab(of: list)) : pick(list)
        let isBranch = random.chance(1, in: 3)
        let siblings = list.children(of: parent, isBranch && parent != nil ? .branch : .member)
        var position = random.chance(1, in: 2) ? NodeTarget.Position.first : .last
        if !siblings.isEmpty, random.chance(1, in: 2) {
            let sibling = random.pick(siblings)
            position = random.chance(1, in: 2) ? .before(sibling) : .behind(sibling)
        }
        guard let parent else { return .top(zone, position) }
        return isBranch ? .below(parent, position) : .inside(parent, position)
    }
}
