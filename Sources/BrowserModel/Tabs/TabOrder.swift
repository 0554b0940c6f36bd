import BrowserSessions

/// The ordered tabs of a list, with indexes to find them quickly by group and opener.
///
/// It relies on the metadata of its tabs: while a tab is in it, change its pin, group and opener
/// only through this type. The tabs of a group must be adjacent. The registry finds tabs by
/// identifier and knows them at least as long as they are here. Each tab holds the tabs that it
/// opened.
struct TabOrder {
    private(set) var tabs: [Tab] = []
    private(set) var pinnedCount = 0
    private let registry: TabRegistry
    private let isOffTheRecord: Bool
    private var members: [TabGroupID: TabSurvey.Members] = [:]

    init(registry: TabRegistry, isOffTheRecord: Bool) {
        self.registry = registry
        self.isOffTheRecord = isOffTheRecord
    }

    // MARK: Finding

    /// Returns the tab with an identifier, here or in another list of the profile.
    private func tab(_ id: TabID) -> Tab? { registry.tab(id, offTheRecord: isOffTheRecord) }

    /// Returns the index of a tab that is here; `nil`, after a search of all tabs, for any other.
    func index(of tab: Tab) -> Int? {
        let hint = Int(tab.indexHint)
        if tabs.indices.contains(hint), tabs[hint] === tab { return hint }
        return search(for: tab, near: min(max(hint, 0), max(tabs.count - 1, 0)))
    }

    /// Searches in both directions: each change of the list moves a tab only a little.
    private func search(for tab: Tab, near hint: Int) -> Int? {
        for distance in 0..<tabs.count {
            let (before, after) = (hint - distance, hint + distance)
            let isBefore = before >= 0 && tabs[before] === tab
            guard isBefore || (after < tabs.count && tabs[after] === tab) else { continue }
            let index = isBefore ? before : after
            tab.indexHint = Int32(index)
            if distance > Self.farthestHint { renewHints() }
            return index
        }
        return nil
    }

    /// The largest distance from a hint that does not renew all hints.
    private static let farthestHint = 256

    private func renewHints() {
        for (index, tab) in tabs.enumerated() { tab.indexHint = Int32(index) }
    }

    func memberCount(of group: TabGroupID) -> Int { members[group]?.count ?? 0 }

    /// Returns the indexes of a group's tabs; `nil` if no tab is in it.
    func range(of group: TabGroupID) -> Range<Int>? {
        guard let found = members[group], let anchor = index(of: found.anchor) else { return nil }
        var (low, high) = (max(0, anchor - found.count + 1), anchor)
        while low < high {
            let middle = (low + high) / 2
            if tabs[middle].metadata.group == group { high = middle } else { low = middle + 1 }
        }
        return low..<low + found.count
    }

    /// If there are fewer than one in this many, their indexes are looked up one by one; otherwise
    /// all tabs are scanned.
    static let fewOf = 8

    /// Returns the tabs that a tab opened, in any order.
    func children(of opener: TabID) -> [Tab] { tab(opener)?.children ?? [] }

    /// Returns the index of the last tab that a page of a tab opened; `nil` if there is none.
    func lastChild(of opener: TabOpener) -> Int? {
        let fits = { (tab: Tab) in
            tab.metadata.opener?.tab == opener.tab
                && tab.metadata.opener?.navigationIndex == opener.navigationIndex
        }
        let children = children(of: opener.tab)
        guard children.count < tabs.count / Self.fewOf else { return tabs.lastIndex(where: fits) }
        return children.lazy.filter(fits).compactMap { index(of: $0) }.max()
    }

    // MARK: Changing

    mutating func insert(_ tab: Tab, at index: Int) {
        tabs.insert(tab, at: index)
        tab.indexHint = Int32(index)
        add(tab)
    }

    mutating func remove(at index: Int) {
        let tab = tabs.remove(at: index)
        if tab.metadata.isPinned { pinnedCount -= 1 }
        if let group = tab.metadata.group {
            leave(group)
            if members[group]?.anchor === tab {
                let near = [index - 1, index].first { isMember($0, of: group) }
                if let near { members[group]?.anchor = tabs[near] }
            }
        }
        if let opener = tab.metadata.opener?.tab { removeChild(tab, of: opener) }
    }

    /// Removes the tabs at ascending indexes, in time that depends only on the list's length.
    mutating func remove(at indexes: [Int]) {
        guard indexes.count > 1 else { return indexes.forEach { remove(at: $0) } }
        let leaving = indexes.map { tabs[$0] }
        let groups = Set(leaving.compactMap(\.metadata.group))
        let ranges = groups.compactMap { group in range(of: group).map { (group, $0) } }
        for tab in leaving { tab.indexHint = Self.isLeaving }
        for (group, range) in ranges {
            let staying = tabs[range].first { $0.indexHint != Self.isLeaving }
            if let staying { members[group]?.anchor = staying }
        }
        tabs.removeAll { $0.indexHint == Self.isLeaving }
        renewHints()
        var affectedOpeners: Set<TabID> = []
        for tab in leaving {
            if tab.metadata.isPinned { pinnedCount -= 1 }
            if let group = tab.metadata.group { leave(group) }
            if let opener = tab.metadata.opener?.tab { affectedOpeners.insert(opener) }
        }
        for opener in affectedOpeners {
            tab(opener)?.children.removeAll { $0.indexHint == Self.isLeaving }
        }
    }

    /// The hint of a tab that is being removed together with others.
    private static let isLeaving: Int32 = -1

    /// Takes out adjacent tabs temporarily; ``putBack(_:at:)`` must follow.
    mutating func lift(_ range: Range<Int>) -> [Tab] {
        let lifted = Array(tabs[range])
        tabs.removeSubrange(range)
        return lifted
    }

    mutating func putBack(_ lifted: [Tab], at index: Int) {
        tabs.insert(contentsOf: lifted, at: index)
        for (offset, tab) in lifted.enumerated() { tab.indexHint = Int32(index + offset) }
    }

    /// Replaces all tabs with others, which are in the registry. The former tabs are either no
    /// longer registered or among the new ones. Removes openers that are not here.
    ///
    /// - Parameter survey: the results of a pass over the new tabs, made directly before.
    /// - Returns: the indexes of the tabs that lost their opener.
    @discardableResult
    mutating func reset(to tabs: [Tab], _ survey: TabSurvey) -> [Int] {
        for tab in self.tabs { tab.forgetChildren() }
        self.tabs = tabs
        pinnedCount = survey.pinnedCount
        members = survey.members
        return survey.opened.filter { !noteOpener(of: tabs[$0]) }
    }

    /// Removes all tabs.
    mutating func removeAll() { reset(to: [], TabSurvey([])) }

    /// Records a tab with its opener. If the opener is not here, removes it and returns `false`.
    private func noteOpener(of tab: Tab) -> Bool {
        guard let opener = tab.metadata.opener else { return true }
        if let found = self.tab(opener.tab), found !== tab, isHere(found) {
            found.children.append(tab)
            return true
        }
        tab.metadata.opener = nil
        return false
    }

    /// Returns whether a tab is at its last known index.
    private func isHere(_ tab: Tab) -> Bool {
        tabs.indices.contains(Int(tab.indexHint)) && tabs[Int(tab.indexHint)] === tab
    }

    /// Removes all tabs from a group.
    mutating func dissolve(_ group: TabGroupID) {
        for tab in tabs[range(of: group) ?? 0..<0] { tab.metadata.group = nil }
        members[group] = nil
    }

    mutating func setOpener(_ opener: TabOpener?, of tab: Tab) {
        if let former = tab.metadata.opener?.tab { removeChild(tab, of: former) }
        tab.metadata.opener = opener
        if let opener { self.tab(opener.tab)?.children.append(tab) }
    }

    /// Removes openers that have left from the tabs that they opened.
    ///
    /// - Returns: the indexes of these tabs, ascending.
    func forgetOpeners(_ gone: some Sequence<Tab>) -> [Int] {
        var orphans: [Int] = []
        for opener in gone {
            for tab in opener.children {
                tab.metadata.opener = nil
                if let index = index(of: tab) { orphans.append(index) }
            }
            opener.forgetChildren()
        }
        return orphans.sorted()
    }
}

extension TabOrder {
    private mutating func add(_ tab: Tab) {
        if tab.metadata.isPinned { pinnedCount += 1 }
        if let group = tab.metadata.group {
            members[group, default: TabSurvey.Members(count: 0, anchor: tab)].count += 1
        }
        if let opener = tab.metadata.opener?.tab { self.tab(opener)?.children.append(tab) }
    }

    private func isMember(_ index: Int, of group: TabGroupID) -> Bool {
        tabs.indices.contains(index) && tabs[index].metadata.group == group
    }

    private mutating func leave(_ group: TabGroupID) {
        members[group]?.count -= 1
        if members[group]?.count == 0 { members[group] = nil }
    }

    private func removeChild(_ tab: Tab, of opener: TabID) {
        guard let opener = self.tab(opener),
            let index = opener.children.lastIndex(where: { $0 === tab })
        else { return }
        let last = opener.children.popLast()
        if let last, last !== tab { opener.children[index] = last }
    }
}
