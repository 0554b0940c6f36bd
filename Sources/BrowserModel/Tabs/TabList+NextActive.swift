import BrowserSessions

extension TabList {
    /// The index, before the removal, of the tab that is active after tabs are removed; `nil` if
    /// none is: none was active, or none is left.
    ///
    /// The active tab stays if it survives. Else the first that there is of: the next surviving tab
    /// that it opened, looking from it to the end and then from the beginning; the next surviving
    /// tab with the same opener, likewise; its opener; if all removed tabs were in one group, the
    /// nearest survivor of the group; the nearest survivor among the pinned tabs or among the
    /// others, whichever it belonged to, that is in no collapsed group; the nearest survivor there;
    /// the nearest survivor of all. Nearest is the first after it, then the first before it. This
    /// is Chromium's rule for iOS.
    public func nextActive(afterRemoving removed: Set<Int>) -> Int? {
        guard let active = activeIndex else { return nil }
        guard removed.contains(active) else { return active }
        let survivors = tabs.indices.filter { !removed.contains($0) }
        return NextActive(list: self, active: active, survivors: survivors, removed: removed).choice
    }
}

private struct NextActive {
    let list: TabList
    let active: Int
    let survivors: [Int]
    let removed: Set<Int>

    private var tab: TabMetadata { list[active].metadata }

    var choice: Int? {
        child ?? sibling ?? opener ?? inSameGroup ?? inVisibleSection ?? inSection
            ?? nearest { _ in true }
    }

    private var child: Int? {
        cyclic { list[$0].metadata.opener?.tab == tab.id }
    }

    private var sibling: Int? {
        guard let opener = tab.opener?.tab else { return nil }
        return cyclic { list[$0].metadata.opener?.tab == opener }
    }

    private var opener: Int? {
        guard let opener = tab.opener?.tab else { return nil }
        return survivors.first { list[$0].id == opener }
    }

    private var inSameGroup: Int? {
        guard let group = tab.group, removed.allSatisfy({ list[$0].metadata.group == group }) else {
            return nil
        }
        return nearest { list[$0].metadata.group == group }
    }

    private var inVisibleSection: Int? {
        nearest { isInSection($0) && !isCollapsed($0) }
    }

    private var inSection: Int? { nearest { isInSection($0) } }

    private func isInSection(_ index: Int) -> Bool {
        list[index].metadata.isPinned == tab.isPinned
    }

    private func isCollapsed(_ index: Int) -> Bool {
        list[index].metadata.group.map { list.groupTable[$0]?.isCollapsed == true } ?? false
    }

    private func cyclic(_ fits: (Int) -> Bool) -> Int? {
        survivors.first { $0 > active && fits($0) } ?? survivors.first { $0 < active && fits($0) }
    }

    private func nearest(_ fits: (Int) -> Bool) -> Int? {
        survivors.first { $0 > active && fits($0) } ?? survivors.last { $0 < active && fits($0) }
    }
}
