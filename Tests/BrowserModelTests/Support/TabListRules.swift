import BrowserModel
import BrowserSessions

/// The rules that hold for a tab list at all times.
enum TabListRules {
    /// Those that the list breaks, in words; nothing if it keeps all.
    ///
    /// In one pass, and without closures: this is asked at each event of random changes.
    static func broken(by list: TabList) -> [String] {
        var broken: [String] = []
        func require(_ holds: Bool, _ rule: String) {
            if !holds, !broken.contains(rule) { broken.append(rule) }
        }
        let tabs = list.tabs
        var (ids, openers): (Set<TabID>, Set<TabID>) = ([], [])
        var runs: [NodeID] = []
        var before: TabMetadata?
        var isActiveHere = false
        for (index, tab) in tabs.enumerated() {
            let metadata = tab.metadata
            require(
                metadata.isPinned == (index < list.pinnedCount),
                "pinned tabs come first, and are counted")
            require(!metadata.isPinned || metadata.group == nil, "pinned tabs are in no group")
            if let group = metadata.group, group != before?.group {
                runs.append(group)
                require(list.group(group) != nil, "a tab's group is known")
            }
            if let opener = metadata.opener?.tab {
                openers.insert(opener)
                require(opener != metadata.id, "an opener is another tab of the list")
            }
            require(tab.list === list && !tab.isClosed, "tabs know their list and are not closed")
            require(ids.insert(metadata.id).inserted, "no tab is there twice")
            require(metadata.place.length <= OrderKey.maximumLength, "places can be saved")
            if tab === list.activeTab { isActiveHere = true }
            before = metadata
        }
        require(openers.isSubset(of: ids), "an opener is another tab of the list")
        require(placesAscend(in: list), "places of siblings ascend")
        require(Set(runs).count == runs.count, "tabs of a group are neighbours")
        require(list.groups.map(\.id) == runs, "groups are listed in the order of tabs")
        require(list.activeTab == nil || isActiveHere, "the active tab is in the list")
        return broken
    }

    /// Whether each tab in a group or at the top has a higher place than the one before in its zone, and each
    /// group than what is before it.
    private static func placesAscend(in list: TabList) -> Bool {
        var last: [NodeID?: (zone: NodeZone, place: OrderKey)] = [:]
        var group: NodeID?
        func follows(_ place: OrderKey, _ zone: NodeZone, in parent: NodeID?) -> Bool {
            let before = last.updateValue((zone, place), forKey: parent)
            return before.map { $0.zone != zone || $0.place < place } ?? true
        }
        for tab in list.tabs {
            let metadata = tab.metadata
            if let parent = metadata.parent, parent != group, let node = list.group(parent),
                !follows(node.place, node.zone, in: node.parent)
            {
                return false
            }
            group = metadata.parent
            guard follows(metadata.place, metadata.zone, in: group) else { return false }
        }
        return true
    }
}
