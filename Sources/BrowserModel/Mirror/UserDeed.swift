/// Something that the user did in a strip.
///
/// It names tabs, not indexes: until it is done in the list, others may come and go.
enum UserDeed {
    case selected(Tab?)
    /// Moved some tabs, so that the strip showed this order. None moved if the strip only lost or
    /// got some, which is put right.
    case arranged([Tab], moved: [Tab])
    case closed(Tab)
}

extension TabListMirror {
    private var isListBusy: Bool { list.isTelling || list.batchDepth > 0 }

    /// Looks at the strip: what it shows otherwise than when the mirror last looked is the user's
    /// doing, reported or not.
    func notice() {
        guard let strip else { return }
        let (tabs, index) = (strip.tabs, strip.selectedIndex)
        let selected = index.flatMap { tabs.indices.contains($0) ? tabs[$0] : nil }
        if !tabs.elementsEqual(shown, by: ===) {
            // Who drags a tab has selected it, in most widgets.
            let difference = OrderDifference(from: shown, to: tabs, moving: selected)
            deeds.append(.arranged(tabs, moved: difference.moved.map(\.tab)))
            shown = tabs
        }
        // An index beyond the tabs says nothing.
        guard index == nil || selected != nil else { return }
        if selected !== shownAsSelected {
            deeds.append(.selected(selected))
            shownAsSelected = selected
        }
    }

    /// Does in the list what the user did, unless the list is being changed, and shows in the strip
    /// what has become of it.
    func doDeeds() {
        while !deeds.isEmpty, !isListBusy, !isOver {
            isDoing = true
            while !deeds.isEmpty { perform(deeds.removeFirst()) }
            isDoing = false
            owed.needsOrderAndSelection = true
            catchUp()
        }
    }

    private func perform(_ deed: UserDeed) {
        switch deed {
        case .selected(nil): list.activate(at: nil)
        case .selected(let tab?):
            if let index = list.index(of: tab) { list.activate(at: index) }
        case .closed(let tab): if let index = list.index(of: tab) { list.close(at: index) }
        case .arranged(let order, let moved): for tab in moved { move(tab, asIn: order) }
        }
    }

    /// Moves a tab right behind the one before it that the list still has.
    private func move(_ tab: Tab, asIn order: [Tab]) {
        guard let from = list.index(of: tab),
            let place = order.firstIndex(where: { $0 === tab })
        else { return }
        let before = order[..<place].lazy.reversed().compactMap { self.list.index(of: $0) }.first
        let target = before.map { $0 < from ? $0 + 1 : $0 } ?? 0
        if target != from { list.move(from: from, to: target) }
    }
}
