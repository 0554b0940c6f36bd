import BrowserSessions

/// The position of tabs that move from another list.
public enum TabTransferPlace: Hashable, Sendable {
    /// Before the existing tabs: pinned tabs before the pinned ones, others directly after the
    /// pinned ones.
    case front
    /// After the existing tabs: pinned tabs after the pinned ones, others at the end.
    case end
}

extension TabList {
    /// Moves tabs to another list of the same partition and profile, in one batch of each list.
    ///
    /// The tabs keep their order, page, pins and groups. They keep their order keys as far as
    /// possible, and any openers that move with them or are already there. A tab joins its group if
    /// the other list has it; a group that moves only in part is in both lists afterwards. If the
    /// other list has no active tab, the tab that was active here becomes active there, and is
    /// realized only if that list realizes its active tab. No other tab is realized.
    ///
    /// - Returns: the tabs that moved, in order; none if both lists are the same.
    /// - Throws: ``TabListError/unknownTab(_:)`` if one of them is not in this list;
    ///   ``TabListError/crossesPartitions(_:)`` or ``TabListError/crossesProfiles(_:)`` if the
    ///   other list is of another partition or profile; ``TabListError/duplicateIdentifier(_:)`` if
    ///   the lists do not share a profile; ``TabListError/windowClosed`` if the window of the
    ///   other list was closed; ``TabListError/reentrant`` while one of the lists notifies its
    ///   observers. Nothing changes then.
    @discardableResult
    public func transfer(
        _ tabs: some Sequence<some TabReference>, to other: TabList,
        at place: TabTransferPlace = .end
    ) throws(TabListError) -> [Tab] {
        guard mayChange(), other.mayChange() else { throw .reentrant }
        return try transfer(indexes: try places(of: tabs), to: other, at: place)
    }

    /// Moves one tab to another list of the same partition, like the method for several tabs.
    ///
    /// - Throws: the errors of the method for several tabs.
    @discardableResult
    public func transfer(
        _ tab: some TabReference, to other: TabList, at place: TabTransferPlace = .end
    ) throws(TabListError) -> [Tab] { try transfer([tab], to: other, at: place) }

    @discardableResult
    package func transfer(
        indexes: [Int], to other: TabList, at place: TabTransferPlace = .end
    ) throws(TabListError) -> [Tab] {
        guard mayChange(), other.mayChange() else { throw .reentrant }
        let indexes = Set(indexes).sorted()
        guard other !== self, !indexes.isEmpty else { return [] }
        let moving = indexes.map { tabs[$0] }
        try check(moving, mayMoveTo: other)
        let ids = Set(moving.compactMap(\.group))
        let groups = self.groups.filter { ids.contains($0.id) }
        // A group that the other list has as another one is joined there.
        var names: [TabGroupID: TabGroupID] = [:]
        for group in groups { names[group.id] = other.group(sameAs: group)?.id ?? group.id }
        let was = moving.map { tab in
            var metadata = tab.metadata
            metadata.group = metadata.group.map { names[$0] ?? $0 }
            return metadata
        }
        let transfer = Transfer(
            tabs: moving, was: was, groups: groups.filter { names[$0.id] == $0.id },
            active: activeTab, place: place)
        performBatch { list in
            list.detach(at: indexes)
            other.performBatch { $0.accept(transfer) }
        }
        return moving
    }

    private func check(_ moving: [Tab], mayMoveTo other: TabList) throws(TabListError) {
        guard !other.isAbandoned else { throw .windowClosed }
        for tab in moving {
            if let foreignness = other.foreignness(of: tab) { throw foreignness }
        }
        guard other.registry !== registry else { return }
        for tab in moving where other.registry.contains(tab.id, offTheRecord: isOffTheRecord) {
            throw .duplicateIdentifier(tab.id)
        }
    }
}

/// Tabs that are moving between lists, with their attributes in the first list.
private struct Transfer {
    let tabs: [Tab]
    let was: [TabMetadata]
    let groups: [StructureNode]
    let active: Tab?
    let place: TabTransferPlace
}

extension TabList {
    private func accept(_ transfer: Transfer) {
        telling { for tab in transfer.tabs { delegate?.tabList(self, willInsert: tab) } }
        let before = tabs.map(\.metadata)
        let groupsBefore = groupTable
        for (tab, was) in zip(transfer.tabs, transfer.was) {
            take(tab)
            tab.metadata = was
        }
        let arranged = arrange(transfer)
        groupTable.merge(transfer.groups.map { ($0.id, $0.asGroupOfList) }) { mine, _ in mine }
        let moved = Set(transfer.tabs.map(\.id))
        order.reset(to: arranged, TabSurvey(arranged))
        // Either the moved tabs or the existing ones get new order keys, whichever are fewer.
        let movedMore = moved.count * 2 > count
        let isRenumbered = !fitPlaces { moved.contains($0.id) == movedMore }
        tellOfMoved(moved, before + transfer.tabs.map(\.metadata))
        tellOfGroups(before: groupsBefore)
        if isRenumbered { tell(.renumbered) }
        if activeTab == nil, let active = transfer.active, moved.contains(active.id) {
            setActive(active)
        }
    }

    private func tellOfMoved(_ moved: Set<TabID>, _ before: [TabMetadata]) {
        let before = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, tab) in tabs.enumerated() where moved.contains(tab.id) {
            tell(.inserted(tab, at: index))
            if before[tab.id] != tab.metadata { tell(.attributesChanged(tab, at: index)) }
            if tab.isRealized { telling { delegate?.tabList(self, attachHelpersTo: tab) } }
        }
        for (index, tab) in tabs.enumerated()
        where !moved.contains(tab.id) && before[tab.id] != tab.metadata {
            tell(.attributesChanged(tab, at: index))
        }
    }

    /// Returns the combined tabs: pinned tabs first, groups in one piece.
    private func arrange(_ transfer: Transfer) -> [Tab] {
        let present = Set(groupTable.keys)
        var joining: [TabGroupID: [Tab]] = [:]
        var pinned: [Tab] = []
        var others: [Tab] = []
        for tab in transfer.tabs {
            if tab.metadata.isPinned {
                pinned.append(tab)
            } else if let group = tab.metadata.group, present.contains(group) {
                joining[group, default: []].append(tab)
            } else {
                others.append(tab)
            }
        }
        let (myPinned, rest) = (Array(tabs[..<pinnedCount]), Array(tabs[pinnedCount...]))
        var mine: [Tab] = []
        for (index, tab) in rest.enumerated() {
            mine.append(tab)
            guard let group = tab.metadata.group, let more = joining[group] else { continue }
            let next = index + 1 < rest.count ? rest[index + 1].metadata.group : nil
            if next != group { mine += more }
        }
        let isFront = transfer.place == .front
        return isFront ? pinned + myPinned + others + mine : myPinned + pinned + mine + others
    }
}
