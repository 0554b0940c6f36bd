import BrowserSessions

extension TabList {
    /// Returns the tab that becomes active after tabs are removed; `nil` if none was active or none
    /// is left. Tabs that are not in the list are ignored.
    ///
    /// The active tab stays active if it survives. Otherwise the first match is chosen: the nearest
    /// survivor of its split; the next surviving tab that it opened, searching from it to the end and then
    /// from the beginning; the next surviving tab with the same opener, in the same way; its opener; if all
    /// removed tabs were in one group, the nearest survivor of that group; the nearest survivor in its
    /// section (pinned or not) that is neither hidden nor in a collapsed group nor on a folded branch; the
    /// nearest survivor in that section; the nearest survivor of all. Nearest means the first one after it, otherwise the first one
    /// before it. This is Chromium's rule for iOS.
    public func nextActive(afterRemoving removed: some Sequence<some TabReference>) -> Tab? {
        let indexes = Set(removed.compactMap { index(of: $0) })
        return nextActive(afterRemoving: indexes).map { self[$0] }
    }

    package func nextActive(afterRemoving removed: Set<Int>) -> Int? {
        nextActive(afterRemovingSorted: removed.sorted())
    }

    /// - Parameter removed: ascending indexes without duplicates.
    func nextActive(afterRemovingSorted removed: [Int]) -> Int? {
        guard let active = activeIndex, removed.hasAscending(active) else { return activeIndex }
        return NextActive(list: self, order: order, active: active, removed: removed).choice
    }
}

private struct NextActive {
    let list: TabList
    let order: TabForest
    let active: Int
    /// Ascending, without duplicates.
    let removed: [Int]

    private var tab: Tab { order.tabs[active] }

    var choice: Int? {
        pane ?? child ?? sibling ?? opener ?? inSameGroup ?? inVisibleSection ?? nearest(
            in: section)
            ?? nearest(in: order.tabs.indices)
    }

    private func survives(_ index: Int) -> Bool { !removed.hasAscending(index) }

    private var pane: Int? {
        guard tab.metadata.parent != nil else { return nil }
        let split = order.ancestors(of: .tab(tab)).last { $0.kind == .split }
        return split.flatMap { nearest(in: order.range(of: $0)) }
    }

    private var child: Int? { nextChild(of: tab.id) }

    private var sibling: Int? {
        tab.metadata.opener.flatMap { nextChild(of: $0.tab) }
    }

    /// Returns the next survivor that a tab opened, searching to the end and then from the start.
    private func nextChild(of opener: TabID) -> Int? {
        let children = order.children(ofOpener: opener)
        let count = order.tabs.count
        if children.count < count / TabForest.fewOf {
            return children.lazy.compactMap { order.index(of: $0) }.filter { survives($0) }
                .min { ($0 - active + count) % count < ($1 - active + count) % count }
        }
        let fits = { order.tabs[$0].metadata.opener?.tab == opener && survives($0) }
        return (active..<count).first(where: fits) ?? (0..<active).first(where: fits)
    }

    private var opener: Int? {
        tab.metadata.opener.flatMap { list.tab($0.tab) }.flatMap { order.index(of: $0) }
            .flatMap { survives($0) ? $0 : nil }
    }

    private var inSameGroup: Int? {
        guard let group = tab.group, let range = list.range(of: group),
            removed.allSatisfy({ range.contains($0) })
        else { return nil }
        return nearest(in: range)
    }

    /// The pinned tabs or the other tabs, depending on the active tab.
    private var section: Range<Int> {
        tab.isPinned ? 0..<order.pinnedCount : order.pinnedCount..<order.tabs.count
    }

    private var inVisibleSection: Int? {
        var index = active + 1
        while index < section.upperBound {
            if let range = order.hiddenRange(at: index) {
                index = range.upperBound
            } else if survives(index) {
                return index
            } else {
                index += 1
            }
        }
        index = active - 1
        while index >= section.lowerBound {
            if let range = order.hiddenRange(at: index) {
                index = range.lowerBound - 1
            } else if survives(index) {
                return index
            } else {
                index -= 1
            }
        }
        return nil
    }

    private func nearest(in range: Range<Int>) -> Int? {
        (active + 1..<max(range.upperBound, active + 1)).first { survives($0) }
            ?? (min(range.lowerBound, active)..<active).last { survives($0) }
    }
}

extension [Int] {
    /// Returns whether an index is among these, which ascend.
    fileprivate func hasAscending(_ index: Int) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < index { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == index
    }
}
