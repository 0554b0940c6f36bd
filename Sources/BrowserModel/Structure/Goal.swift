import BrowserSessions

/// Where an item goes: a ``NodeTarget`` with what a list adds to it.
struct Goal {
    enum Position {
        case first
        case last
        /// Directly before or behind a sibling.
        case sibling(any ListItem, isBehind: Bool)
        /// Where it begins at the index of the tabs, or near that.
        case index(Int)
        /// Where it was among the siblings that are still there.
        case former(FormerPlace)
    }

    /// What it goes below; `nil` for the top of the list.
    var parent: (any ListItem)?
    var edge = NodeEdge.member
    var zone = NodeZone.normal
    var position = Position.last

    /// Where what goes there was there before; `nil` if it was not.
    var former: FormerPlace? { if case .former(let former) = position { former } else { nil } }

    /// Whether an item is below the same node by the same edge, in the same zone.
    func isPlace(of item: any ListItem) -> Bool {
        (parent?.nodeID, edge, zone) == (item.parent, item.edge, item.zone)
    }

    /// Returns the place among the siblings in a forest that does not have the item there.
    func slot(in forest: TabForest) -> Int {
        let siblings = forest.children(of: parent, edge)
        switch position {
        case .first: return siblings.slots(of: zone).lowerBound
        case .last: return siblings.slots(of: zone).upperBound
        case .sibling(let sibling, let isBehind):
            guard sibling.parent == parent?.nodeID else {
                return siblings.slots(of: zone).upperBound
            }
            let slot = siblings.slot(of: sibling) + (isBehind ? 1 : 0)
            return sibling.zone == zone ? slot : siblings.clamp(slot, in: zone)
        case .index(let index): return slot(at: index, siblings, in: forest)
        case .former(let former): return slot(formerlyAt: former, siblings, in: forest)
        }
    }

    /// Siblings keep their order keys, unless all got new ones: then what it was behind says more.
    private func slot(
        formerlyAt former: FormerPlace, _ siblings: SiblingItems, in forest: TabForest
    ) -> Int {
        let previous = former.previous.flatMap { forest.item($0) }
            .flatMap { $0.parent == parent?.nodeID && $0.edge.known == edge ? $0 : nil }
        let behind = previous.map { siblings.slot(of: $0) + 1 }
        guard let place = former.place else {
            if let behind { return siblings.clamp(behind, in: zone) }
            return slot(at: former.index ?? .max, siblings, in: forest)
        }
        let slot = siblings.slot(behind: place, in: zone)
        return siblings.clamp(Swift.max(slot, behind ?? slot), in: zone)
    }

    /// Returns the slot at which an item would begin at an index of the tabs, or the nearest one that
    /// its zone allows. An item that is not among the siblings comes behind one that the index is in.
    private func slot(at index: Int, _ siblings: SiblingItems, in forest: TabForest) -> Int {
        // Nearly always, the tab before is in one of the siblings.
        if index > 0, index <= forest.tabs.count, let before = sibling(with: forest.tabs[index - 1])
        {
            let slot = siblings.slot(of: before) + 1
            return before.zone == zone ? slot : siblings.clamp(slot, in: zone)
        }
        let allowed = siblings.slots(of: zone)
        return siblings.items[allowed.lowerBound..<allowed.upperBound].slot(behind: {
            forest.range(of: $0).lowerBound < index
        })
    }

    /// Returns the item directly below the same node that a tab is in; `nil` if there is none.
    private func sibling(with tab: Tab) -> (any ListItem)? {
        var item: any ListItem = tab
        while let above = item.above {
            if above === parent, item.edge.known == edge.known { return item }
            item = above
        }
        return parent == nil ? item : nil
    }
}

extension Goal {
    /// Directly behind an item.
    init(behind item: any ListItem) {
        (parent, edge, zone) = (item.above, item.edge.known, item.zone)
        position = .sibling(item, isBehind: true)
    }
}
