import BrowserModel
import BrowserSessions

/// The rules that hold for a tab list at all times.
enum TabListRules {
    /// Those that the list breaks, in words; nothing if it keeps all.
    static func broken(by list: TabList) -> [String] {
        pins(list) + groups(list) + openers(list) + membership(list) + places(list)
    }

    private static func pins(_ list: TabList) -> [String] {
        let pinned = list.tabs.map(\.metadata.isPinned)
        let isPrefix = pinned == pinned.indices.map { $0 < list.pinnedCount }
        let areFree = list.tabs.allSatisfy { !$0.metadata.isPinned || $0.metadata.group == nil }
        return (isPrefix ? [] : ["pinned tabs come first, and are counted"])
            + (areFree ? [] : ["pinned tabs are in no group"])
    }

    private static func groups(_ list: TabList) -> [String] {
        var runs: [TabGroupID] = []
        var last: TabGroupID?
        for tab in list.tabs {
            if let group = tab.metadata.group, group != last { runs.append(group) }
            last = tab.metadata.group
        }
        let known = runs.allSatisfy { list.group($0) != nil }
        return (Set(runs).count == runs.count ? [] : ["tabs of a group are neighbours"])
            + (known ? [] : ["a tab's group is known"])
            + (list.groups.map(\.id) == runs ? [] : ["groups are listed in the order of tabs"])
    }

    private static func openers(_ list: TabList) -> [String] {
        let here = Set(list.tabs.map(\.id))
        let hold = list.tabs.allSatisfy { tab in
            tab.metadata.opener.map { $0.tab != tab.id && here.contains($0.tab) } ?? true
        }
        return hold ? [] : ["an opener is another tab of the list"]
    }

    private static func membership(_ list: TabList) -> [String] {
        let isActiveHere = list.activeTab.map { active in list.tabs.contains { $0 === active } }
        let belong = list.tabs.allSatisfy { $0.list === list && !$0.isClosed }
        let areUnique = Set(list.tabs.map(\.id)).count == list.count
        return (isActiveHere ?? true ? [] : ["the active tab is in the list"])
            + (belong ? [] : ["tabs know their list and are not closed"])
            + (areUnique ? [] : ["no tab is there twice"])
    }

    private static func places(_ list: TabList) -> [String] {
        let ascend = zip(list.places, list.places.dropFirst()).allSatisfy { $0 < $1 }
        let fit = list.places.allSatisfy { $0.length <= OrderKey.maximumLength }
        return (ascend ? [] : ["places ascend"]) + (fit ? [] : ["places can be saved"])
    }
}
