import BrowserSessions

extension TabForest {
    /// Returns the index of the tab that becomes active after tabs are removed; `nil` if none is left.
    ///
    /// - Parameter removed: ascending indexes without duplicates.
    func nextActive(after active: Int, removing removed: [Int]) -> Int? {
        let next = NextActive(order: self, active: active, removed: removed)
        return next.survives(active) ? active : next.choice
    }
}

/// See ``TabList/nextActive(afterRemoving:)``.
private struct NextActive {
    let order: TabForest
    let active: Int
    /// Ascending, without duplicates.
    let removed: [Int]

    private var tab: Tab { order.tabs[active] }

    /// Its index before the removal; `nil` if none is left.
    var choice: Int? {
        pane ?? nextChild(of: tab.id) ?? tab.opener.flatMap { nextChild(of: $0.tab) } ?? opener
            ?? inSameGroup ?? inVisibleSection ?? nearest(in: section)
            ?? nearest(in: order.tabs.indices)
    }

    func survives(_ index: Int) -> Bool {
        let slot = removed.slot(behind: { $0 < index })
        return slot == removed.count || removed[slot] != index
    }

    private var pane: Int? {
        tab.ancestors.last { $0.kind == .split }.flatMap { nearest(in: order.range(of: $0)) }
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
        tab.opener.flatMap { order.item(NodeID($0.tab))?.tab }.flatMap { order.index(of: $0) }
            .flatMap { survives($0) ? $0 : nil }
    }

    private var inSameGroup: Int? {
        guard let range = order.surroundings(of: tab).group.map({ order.range(of: $0) }),
            removed.allSatisfy({ range.contains($0) })
        else { return nil }
        return nearest(in: range)
    }

    /// The pinned tabs or the other tabs, depending on the active tab.
    private var section: Range<Int> {
        tab.wholeZone != .normal ? 0..<order.pinnedCount : order.pinnedCount..<order.tabs.count
    }

    private var inVisibleSection: Int? {
        visible(from: active + 1, by: 1) ?? visible(from: active - 1, by: -1)
    }

    private func visible(from start: Int, by step: Int) -> Int? {
        var index = start
        while section.contains(index) {
            let hidden = order.hiddenRange(at: index)
            if hidden == nil, survives(index) { return index }
            index = (step > 0 ? hidden.map { $0.upperBound - 1 } : hidden?.lowerBound) ?? index
            index += step
        }
        return nil
    }

    private func nearest(in range: Range<Int>) -> Int? {
        (active + 1..<max(range.upperBound, active + 1)).first { survives($0) }
            ?? (min(range.lowerBound, active)..<active).last { survives($0) }
    }
}
