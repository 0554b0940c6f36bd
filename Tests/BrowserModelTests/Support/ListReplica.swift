import BrowserModel
import BrowserSessions

/// A copy of a tab list, made of nothing but the changes that observers get.
final class ListReplica: TabListObserver {
    private(set) var tabs: [TabMetadata] = []
    private(set) var active: TabID?
    private(set) var nodes: [NodeID: StructureNode] = [:]
    private(set) var isInBatch = false
    /// Reports that cannot be true, in words, and rules that did not hold during a report.
    private(set) var faults: [String] = []
    private var members: [Tab] = []

    private let isFlat: Bool

    /// - Parameter isFlat: whether the list has nothing but groups that are not in each other.
    init(_ list: TabList, isFlat: Bool = true) {
        self.isFlat = isFlat
        list.addObserver(self)
    }

    func tabList(_ list: TabList, did change: TabListChange) {
        if isFlat { faults += TabListRules.broken(by: list).map { "\($0), at \(change)" } }
        apply(change, list)
    }

    private func apply(_ change: TabListChange, _ list: TabList) {
        switch change {
        case .inserted(let tab, let index): insert(tab, at: index)
        case .restored(let new):
            check(Set(list.tabs.map(\.id)) == Set((members + new).map(\.id)), "restored tabs")
            members = list.tabs
            tabs = members.map(\.metadata)
        case .removed(let removal):
            check(removal.tab, at: removal.index)
            remove(at: removal.index)
        case .replaced(let removal, let tab):
            check(removal.tab, at: removal.index)
            remove(at: removal.index)
            insert(tab, at: removal.index)
        case .moved(let tab, let from, let to):
            move([tab], from, to)
            (tabs[to].place, tabs[to].closedFrom) = (tab.metadata.place, tab.metadata.closedFrom)
        case .subtreeMoved(let node, let moved, let from, let to):
            move(moved, from, to)
            if let tab = moved.first, NodeID(tab.id) == node { look(at: tab, to) }
            if let record = list.node(node) { nodes[node] = record }
        case .attributesChanged(let tab, let index):
            check(tab, at: index)
            look(at: tab, index)
        case .nodeChanged(let node): nodes[node] = list.node(node)
        case .nodeEnded(let node): nodes[node.id] = nil
        case .activated(let tab, let previous):
            check(active == previous?.id, "the previous active tab")
            active = tab?.id
        case .renumbered:
            for (index, tab) in members.enumerated() { tabs[index].place = tab.metadata.place }
            for node in list.nodes { nodes[node.id]?.place = node.place }
        case .tab(let tab, _): follow(tab)
        case .batchBegan, .batchEnded:
            check(isInBatch == (change.isEndOfBatch), "batches")
            isInBatch.toggle()
        }
    }

    private func move(_ moved: [Tab], _ from: Int, _ to: Int) {
        for (offset, tab) in moved.enumerated() { check(tab, at: from + offset) }
        let block = from..<from + moved.count
        let records = Array(tabs[block])
        tabs.removeSubrange(block)
        members.removeSubrange(block)
        tabs.insert(contentsOf: records, at: to)
        members.insert(contentsOf: moved, at: to)
    }

    private func look(at tab: Tab, _ index: Int) {
        tabs[index].zone = tab.metadata.zone
        (tabs[index].parent, tabs[index].edge) = (tab.metadata.parent, tab.metadata.edge)
        tabs[index].weight = tab.metadata.weight
        tabs[index].opener = tab.metadata.opener
        tabs[index].place = tab.metadata.place
        tabs[index].closedFrom = tab.metadata.closedFrom
    }

    private func insert(_ tab: Tab, at index: Int) {
        tabs.insert(tab.metadata, at: index)
        members.insert(tab, at: index)
    }

    private func remove(at index: Int) {
        tabs.remove(at: index)
        members.remove(at: index)
    }

    private func follow(_ tab: Tab) {
        guard let index = members.firstIndex(where: { $0 === tab }) else {
            return check(false, "a tab that is there")
        }
        tabs[index].url = tab.metadata.url
        tabs[index].title = tab.metadata.title
        tabs[index].lastActiveAt = tab.metadata.lastActiveAt
        tabs[index].navigationItemCount = tab.metadata.navigationItemCount
    }

    private func check(_ tab: Tab, at index: Int) {
        check(members.indices.contains(index) && members[index] === tab, "the index of a tab")
    }

    private func check(_ holds: Bool, _ what: String) {
        if !holds { faults.append("a wrong report: \(what)") }
    }

    /// How the list differs from the copy, in words; nothing if they are equal.
    func differences(from list: TabList) -> [String] {
        let here = Dictionary(uniqueKeysWithValues: list.nodes.map { ($0.id, $0) })
        return (tabs == list.tabs.map(\.metadata) ? [] : ["the tabs"])
            + (active == list.activeTab?.id ? [] : ["the active tab"])
            + nodes.filter { here[$0.key] != $0.value }.map {
                "\($0.value) is \(here[$0.key].map { "\($0)" } ?? "nothing")"
            }
            + here.keys.filter { nodes[$0] == nil }.map { "the new node \($0)" }
            + (isInBatch ? ["a batch is open"] : [])
    }
}

extension TabListChange {
    fileprivate var isEndOfBatch: Bool { if case .batchEnded = self { true } else { false } }
}
