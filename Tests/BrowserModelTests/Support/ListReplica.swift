import BrowserModel
import BrowserSessions

/// A copy of a tab list, made of nothing but the changes that observers get.
final class ListReplica: TabListObserver {
    private(set) var tabs: [TabMetadata] = []
    private(set) var active: TabID?
    private(set) var groups: [TabGroupID: StructureNode] = [:]
    private(set) var isInBatch = false
    /// Reports that cannot be true, in words, and rules that did not hold during a report.
    private(set) var faults: [String] = []
    private var members: [Tab] = []

    init(_ list: TabList) { list.addObserver(self) }

    func tabList(_ list: TabList, did change: TabListChange) {
        faults += TabListRules.broken(by: list).map { "\($0), at \(change)" }
        apply(change, list)
    }

    private func apply(_ change: TabListChange, _ list: TabList) {
        switch change {
        case .inserted(let tab, let index): insert(tab, at: index)
        case .restored(let new):
            expect(Set(list.tabs.map(\.id)) == Set((members + new).map(\.id)), "restored tabs")
            members = list.tabs
            tabs = members.map(\.metadata)
        case .removed(let removal):
            expect(removal.tab, at: removal.index)
            remove(at: removal.index)
        case .replaced(let removal, let tab):
            expect(removal.tab, at: removal.index)
            remove(at: removal.index)
            insert(tab, at: removal.index)
        case .moved(let tab, let from, let to):
            expect(tab, at: from)
            tabs.insert(tabs.remove(at: from), at: to)
            members.insert(members.remove(at: from), at: to)
            tabs[to].place = tab.metadata.place
        case .attributesChanged(let tab, let index):
            expect(tab, at: index)
            tabs[index].isPinned = tab.metadata.isPinned
            tabs[index].group = tab.metadata.group
            tabs[index].opener = tab.metadata.opener
            tabs[index].place = tab.metadata.place
        case .groupChanged(let group): groups[group] = list.group(group)
        case .activated(let tab, let previous):
            expect(active == previous?.id, "the previous active tab")
            active = tab?.id
        case .renumbered:
            for (index, tab) in members.enumerated() { tabs[index].place = tab.metadata.place }
        case .tab(let tab, _): follow(tab)
        case .batchBegan, .batchEnded:
            expect(isInBatch == (change.isEndOfBatch), "batches")
            isInBatch.toggle()
        }
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
            return expect(false, "a tab that is there")
        }
        tabs[index].url = tab.metadata.url
        tabs[index].title = tab.metadata.title
        tabs[index].lastActiveAt = tab.metadata.lastActiveAt
        tabs[index].navigationItemCount = tab.metadata.navigationItemCount
    }

    private func expect(_ tab: Tab, at index: Int) {
        expect(members.indices.contains(index) && members[index] === tab, "the index of a tab")
    }

    private func expect(_ holds: Bool, _ what: String) {
        if !holds { faults.append("a wrong report: \(what)") }
    }

    /// How the list differs from the copy, in words; nothing if they are equal.
    func differences(from list: TabList) -> [String] {
        let groupsHere = Dictionary(uniqueKeysWithValues: list.groups.map { ($0.id, $0) })
        return (tabs == list.tabs.map(\.metadata) ? [] : ["the tabs"])
            + (active == list.activeTab?.id ? [] : ["the active tab"])
            + (groups == groupsHere ? [] : ["the groups"]) + (isInBatch ? ["a batch is open"] : [])
    }
}

extension TabListChange {
    fileprivate var isEndOfBatch: Bool { if case .batchEnded = self { true } else { false } }
}
