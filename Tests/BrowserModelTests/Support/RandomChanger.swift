import BrowserModel
import BrowserSessions
import SessionSamples

/// Does one random change after another.
struct RandomChanger {
    static let kinds = 21
    let registry: TabRegistry
    let list: TabList
    let other: TabList
    let replicas: [ListReplica]
    /// Which kinds of change were done.
    var done: Set<Int> = []
    var random: SeededGenerator
    private var made = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        registry = TabRegistry()
        list = TabList(registry: registry, now: { Timestamp(microseconds: 5) })
        other = TabList(realizesActiveTab: false, registry: registry)
        replicas = [ListReplica(list), ListReplica(other)]
    }

    func faults() -> [String] {
        TabListRules.broken(by: list) + TabListRules.broken(by: other)
            + replicas.flatMap(\.faults)
            + replicas[0].differences(from: list) + replicas[1].differences(from: other)
    }

    mutating func change() -> String {
        let kind = random.integer(in: 0...Self.kinds - 1)
        done.insert(kind)
        switch kind {
        case 0...3: return insert()
        case 4...8: return kind < 6 ? moveOrPin() : remove(kind)
        case 9...14: return regroup(kind)
        case 15: return replace()
        case 16: return activate()
        case 17: return restore()
        case 18: return carryOver()
        case 19: return transfer()
        default: return batch()
        }
    }

    private mutating func batch() -> String {
        let list = list
        return list.performBatch { _ in
            "batch of " + insert() + ", " + moveOrPin() + ", " + remove(6) + ", " + regroup(9)
        }
    }

    private mutating func newTab() -> Tab {
        made += 1
        let isRealized = random.chance(1, in: 2)
        let id = TabID.random(using: &random)
        let url = "https://\(made).example/"
        guard !isRealized else { return Tab(id: id, url: url, title: "\(made)") }
        let metadata = TabMetadata(
            id: id, place: .between(nil, and: nil), url: url, title: "\(made)")
        return Tab(
            unrealized: metadata, state: .page(url))
    }

    private mutating func index() -> Int { random.integer(in: 0...list.count - 1) }

    private mutating func indexes() -> [Int] {
        guard !list.isEmpty else { return [] }
        return (0..<random.integer(in: 1...4)).map { _ in index() }
    }

    private mutating func insert() -> String {
        var insertion = TabInsertion(
            inheritsOpener: random.chance(1, in: 3), activates: random.chance(1, in: 3),
            isPinned: random.chance(1, in: 4))
        if random.chance(1, in: 3) { insertion.index = random.integer(in: -2...list.count + 2) }
        if random.chance(1, in: 3), !list.isEmpty { insertion.opener = list[index()].id }
        if random.chance(1, in: 4), let group = list.groups.first?.id { insertion.group = group }
        let tab = newTab()
        let result = Result { () throws(TabListError) in try list.insert(tab, as: insertion) }
        return "insert \(insertion): \(result)"
    }

    private mutating func moveOrPin() -> String {
        guard !list.isEmpty else { return "nothing" }
        let (from, to) = (index(), index())
        guard random.chance(1, in: 3) else {
            _ = try? list.move(list[from], to: to)
            return "move \(from) to \(to)"
        }
        _ = try? list[from].isPinned ? list.unpin(list[from]) : list.pin(list[from])
        return "pin \(from)"
    }

    private mutating func remove(_ kind: Int) -> String {
        guard !list.isEmpty, list.count > 4 || random.chance(1, in: 4) else { return "nothing" }
        let chosen = indexes()
        switch kind {
        case 6: try? list.close(list[chosen[0]], reason: .user)
        case 7: try? list.close(chosen.map { list[$0] }, reason: .cleanup)
        default:
            guard random.chance(1, in: 40) else { break }
            list.closeAll(reason: .program)
        }
        return "close \(chosen), \(kind)"
    }

    private mutating func regroup(_ kind: Int) -> String {
        let chosen = indexes()
        let groups = list.groups.map(\.id)
        let group = groups.isEmpty ? NodeID.random(using: &random) : random.pick(groups)
        let target = random.integer(in: 0...list.count)
        let id = NodeID.random(using: &random)
        let isCollapsed = random.chance(1, in: 2)
        let list = list
        let result = Result { () throws(TabListError) in
            switch kind {
            case 9: try list.create(StructureNode.group(id: id), of: chosen.map { list[$0] })
            case 10: try list.move(chosen.map { list[$0] }, to: .inside(group))
            case 11: try list.ungroup(chosen.map { list[$0] })
            case 12: try target % 3 == 0 ? list.closeAll(in: group) : list.dissolve(group)
            case 13: try list.move(group, to: target)
            default: try list.update(StructureNode.group(id: group, isCollapsed: isCollapsed))
            }
        }
        return "regroup \(kind) \(chosen) \(group) \(target): \(result)"
    }

    private mutating func replace() -> String {
        guard !list.isEmpty else { return "nothing" }
        let (place, tab) = (index(), newTab())
        let result = Result { () throws(TabListError) in try list.replace(list[place], with: tab) }
        return "replace \(place): \(result)"
    }

    private mutating func activate() -> String {
        let place = list.isEmpty || random.chance(1, in: 10) ? nil : index()
        if let place { try? list.activate(list[place]) } else { try? list.deactivate() }
        if let tab = list.activeTab { tab.setTitle(tab.title + "'") }
        return "activate \(String(describing: place))"
    }

    /// Saved tabs with pins, groups, openers and places of any kind.
    private mutating func restore() -> String {
        guard random.chance(1, in: 4) else { return "nothing" }
        let groups = (0..<2).map { _ in StructureNode.group(id: .random(using: &random)) }
        var saved: [Tab] = []
        for _ in 0..<random.integer(in: 0...6) {
            var metadata = newTab().metadata
            metadata.isPinned = random.chance(1, in: 4)
            if random.chance(1, in: 2) { metadata.group = random.pick(groups).id }
            if let last = saved.last { metadata.opener = TabOpener(tab: last.id) }
            metadata.place = random.pick(OrderKey.evenlySpaced(count: 9))
            saved.append(Tab(unrealized: metadata, state: .page(metadata.url)))
        }
        list.restore(saved, nodes: groups, active: saved.last?.id)
        return "restore \(saved.count)"
    }

    private mutating func transfer() -> String {
        let (from, to) = random.chance(1, in: 2) ? (list, other) : (other, list)
        guard !from.isEmpty else { return "nothing" }
        let chosen = (0..<3).map { _ in random.pick(from.tabs).id }
        let place = random.chance(1, in: 2) ? TabTransferPlace.front : .end
        let result = Result { () throws(TabListError) in
            try from.transfer(chosen, to: to, at: place).count
        }
        return "transfer \(chosen): \(result)"
    }

    /// Tabs go to another list and come back.
    private mutating func carryOver() -> String {
        let (from, to) = random.chance(1, in: 2) ? (list, other) : (other, list)
        guard !from.isEmpty else { return "nothing" }
        let chosen = (0..<3).map { _ in random.integer(in: 0...from.count - 1) }
        let tabs = (try? from.detach(chosen.map { from[$0] })) ?? []
        let results = tabs.map { tab in
            Result { () throws(TabListError) in try to.insert(tab) }
        }
        return "carry over \(chosen): \(results)"
    }
}
