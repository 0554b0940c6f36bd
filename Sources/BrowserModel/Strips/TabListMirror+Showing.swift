extension TabListMirror {
    /// Updates the strip with the pending changes. Changes to the list that the strip's echo causes
    /// meanwhile come last.
    func catchUp() {
        guard !isTalking else { return }
        isTalking = true
        defer { isTalking = false }
        while !owed.isNothing, !isOver {
            // Earlier user actions must not be mistaken for the mirror's own changes.
            if owed.needsReload || owed.needsOrderAndSelection { notice() }
            let now = owed
            owed = PendingStripUpdate()
            show(now)
        }
    }

    private func show(_ owed: PendingStripUpdate) {
        let (tabs, selected) = (list.tabs, list.activeIndex)
        var updates = owed.updates
        if owed.needsReload || owed.needsOrderAndSelection {
            let difference = OrderDifference(from: shown, to: tabs, moving: owed.moved)
            if owed.needsReload || Self.isMuch(difference.count, of: tabs.count) {
                strip?.reload(tabs, selected: selected)
                updates = []
            } else {
                take(difference, to: tabs)
                let new = Set(difference.inserted.map { ObjectIdentifier(tabs[$0]) })
                updates.removeAll { new.contains(ObjectIdentifier($0)) }
            }
            select(selected)
            remember()
        }
        update(updates)
    }

    /// Returns whether reloading a strip costs less than making that many changes.
    private static func isMuch(_ changes: Int, of count: Int) -> Bool {
        changes > 16 && changes > count / 8
    }

    private func take(_ difference: OrderDifference, to tabs: [Tab]) {
        var present = shown
        for index in difference.removed {
            strip?.remove(at: index)
            present.remove(at: index)
        }
        for (tab, predecessor) in difference.moved {
            guard let from = present.firstIndex(where: { $0 === tab }) else { continue }
            let before = predecessor.flatMap { tab in present.firstIndex { $0 === tab } }
            let target = before.map { $0 < from ? $0 + 1 : $0 } ?? 0
            guard target != from else { continue }
            strip?.move(from: from, to: target)
            present.insert(present.remove(at: from), at: target)
        }
        for index in difference.inserted { strip?.insert(tabs[index], at: index) }
    }

    /// Selects a tab, unless the strip already did so itself.
    private func select(_ index: Int?) {
        if let strip, strip.selectedIndex != index { strip.select(index) }
    }

    /// Records what the strip shows now as not caused by the user.
    func remember() {
        guard let strip else { return }
        shown = strip.tabs
        shownAsSelected = strip.selectedIndex.flatMap {
            shown.indices.contains($0) ? shown[$0] : nil
        }
    }

    private func update(_ tabs: [Tab]) {
        guard !tabs.isEmpty, let present = strip?.tabs else { return }
        for tab in tabs {
            guard let hint = list.index(of: tab) else { continue }
            // The user may have moved tabs without a report so far.
            let isThere = present.indices.contains(hint) && present[hint] === tab
            let index = isThere ? hint : present.firstIndex { $0 === tab }
            if let index { strip?.update(tab, at: index) }
        }
    }
}
