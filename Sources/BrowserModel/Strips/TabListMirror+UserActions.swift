extension TabListMirror {
    private var isListBusy: Bool { list.isTelling || list.batchDepth > 0 }

    /// Compares the strip with the mirror's last check. Any difference is a user action, whether
    /// reported or not.
    func notice() {
        guard let strip else { return }
        let (tabs, index) = (strip.tabs, strip.selectedIndex)
        let selected = index.flatMap { tabs.indices.contains($0) ? tabs[$0] : nil }
        if !tabs.elementsEqual(shown, by: ===) {
            // In most widgets, dragging a tab selects it.
            let difference = OrderDifference(from: shown, to: tabs, moving: selected)
            deeds.append(.arranged(tabs, moved: difference.moved.map(\.tab)))
            shown = tabs
        }
        // An index out of bounds carries no information.
        guard index == nil || selected != nil else { return }
        if selected !== shownAsSelected {
            deeds.append(.selected(selected))
            shownAsSelected = selected
        }
    }

    /// Applies the user's actions to the list, unless it is being changed, and shows the result in
    /// the strip.
    func doDeeds() {
        while !deeds.isEmpty, !isListBusy, !isOver {
            isDoing = true
            while !deeds.isEmpty { perform(deeds.removeFirst()) }
            isDoing = false
            owed.needsOrderAndSelection = true
            catchUp()
        }
    }

    private func perform(_ deed: UserAction) {
        switch deed {
        // What the user did to a tab that is gone meanwhile has no effect.
        case .selected(nil): try? list.deactivate()
        case .selected(let tab?): try? list.activate(tab)
        case .closed(let tab): try? list.close(tab)
        case .arranged(let order, let moved): for tab in moved { move(tab, asIn: order) }
        }
    }

    /// Moves a tab to directly after the nearest tab before it that is still in the list.
    private func move(_ tab: Tab, asIn order: [Tab]) {
        guard let from = list.index(of: tab),
            let place = order.firstIndex(where: { $0 === tab })
        else { return }
        let before = order[..<place].lazy.reversed().compactMap { self.list.index(of: $0) }.first
        let target = before.map { $0 < from ? $0 + 1 : $0 } ?? 0
        if target != from { _ = try? list.move(tab, to: target) }
    }
}
