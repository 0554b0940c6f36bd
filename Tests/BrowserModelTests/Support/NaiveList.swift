import BrowserSessions

@testable import BrowserModel

/// What a tab list answers, found by looking through all of its tabs.
struct NaiveList {
    let list: TabList

    /// Where the list's answers differ, in words; nothing if they are right.
    func differences() -> [String] {
        let tabs = list.tabs
        let (order, unknown) = (list.order, TabID(high: 0, low: 0))
        var wrong: [String] = []
        for (index, tab) in tabs.enumerated() {
            if order.index(of: tab) != index || list.tab(tab.id) !== tab {
                wrong.append("the index of \(tab.title)")
            }
            let children = tabs.filter { $0.opener?.tab == tab.id }.map(\.id)
            if order.children(ofOpener: tab.id).map(\.id).sorted() != children.sorted() {
                wrong.append("what \(tab.title) opened")
            }
            if let opener = tab.opener, order.lastChild(of: opener) != lastChild(of: opener) {
                wrong.append("the last sibling of \(tab.title)")
            }
        }
        for group in list.groups.map(\.id) + [NodeID(high: 0, low: 0)] {
            let members = tabs.indices.filter { tabs[$0].group == group }
            if list.range(of: group).map(Array.init) ?? [] != members {
                wrong.append("the tabs of a group")
            }
            if order.nodes[group]?.tabsBelow ?? 0 != members.count { wrong.append("their number") }
        }
        if list.pinnedCount != tabs.count(where: \.isPinned) { wrong.append("the pinned tabs") }
        if list.tab(unknown) != nil { wrong.append("an unknown tab") }
        return wrong
    }

    private func lastChild(of opener: TabOpener) -> Int? {
        list.tabs.lastIndex {
            $0.opener?.tab == opener.tab && $0.opener?.navigationIndex == opener.navigationIndex
        }
    }

    /// See `TabList.nextActive(afterRemoving:)`.
    func nextActive(afterRemoving removed: Set<Int>) -> Int? {
        let tabs = list.tabs
        guard let active = tabs.firstIndex(where: { $0 === list.activeTab }) else { return nil }
        guard removed.contains(active) else { return active }
        let survivors = tabs.indices.filter { !removed.contains($0) }
        let tab = tabs[active]
        let behind = survivors.filter { $0 > active }
        let before = survivors.filter { $0 < active }
        func cyclic(_ fits: (Int) -> Bool) -> Int? { (behind + before).first(where: fits) }
        func nearest(_ fits: (Int) -> Bool) -> Int? {
            (behind + before.reversed()).first(where: fits)
        }
        let isInSection = { (index: Int) in tabs[index].isPinned == tab.isPinned }
        let isVisible = { (index: Int) in
            tabs[index].group.map { list.group($0)?.isCollapsed != true } ?? true
        }
        let isOneGroup = tab.group != nil && removed.allSatisfy { tabs[$0].group == tab.group }
        return cyclic { tabs[$0].opener?.tab == tab.id }
            ?? cyclic { tab.opener != nil && tabs[$0].opener?.tab == tab.opener?.tab }
            ?? cyclic { tabs[$0].id == tab.opener?.tab }
            ?? nearest { isOneGroup && tabs[$0].group == tab.group }
            ?? nearest { isInSection($0) && isVisible($0) } ?? nearest(isInSection)
            ?? nearest { _ in true }
    }
}
