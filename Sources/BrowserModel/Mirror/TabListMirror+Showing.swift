extension TabListMirror {
    /// Tells the strip what it was not told yet. What the strip's echo changes in the list meanwhile
    /// comes last.
    func catchUp() {
        guard !isTalking else { return }
        isTalking = true
        defer { isTalking = false }
        while !owed.isNothing, !isOver {
            // What the user did before is not to be taken for what the mirror does now.
            if owed.needsReload || owed.needsOrderAndSelection { notice() }
            let now = owed
            owed = OwedToStrip()
            show(now)
        }
    }

    private func show(_ owed: OwedToStrip) {
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

    /// Whether to reload a strip costs less than that many changes of it.
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

    /// Selects a tab, unless the strip has done so by itself.
    private func select(_ index: Int?) {
        if let strip, strip.selectedIndex != index { strip.select(index) }
    }

    /// Keeps what the strip shows now: nothing of it is the user's doing.
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
            // The user may have moved some without a report yet.
            let isThere = present.indices.contains(hint) && present[hint] === tab
            let index = isThere ? hint : present.firstIndex { $0 === tab }
            if let index { strip?.update(tab, at: index) }
        }
    }
}
