public import BrowserSessions

extension RestoredSession {
    /// Repairs violations of the rules for tab lists, and notes each repair in ``repairs``.
    ///
    /// `SessionStorage.restore(_:at:)` must return sessions that obey the rules. A storage
    /// over ``OrderedSessionStorage`` does; one that keeps sessions in its own way calls this
    /// method on its result. ``tabs`` must be in the order of their order keys, and tabs with the
    /// same one in the order of their ids. Afterwards the rules hold, and repairing again changes
    /// nothing.
    public mutating func repair() {
        let ids = Set(tabs.map(\.id))
        repair { ids.contains($0) }
    }

    /// Repairs a session with tabs that may not all have been read.
    ///
    /// - Parameter contains: whether a tab is in this session.
    /// - Parameter findings: what is known of the tabs from reading them; `nil` if nothing is.
    mutating func repair(_ findings: TabFindings? = nil, contains: (TabID) -> Bool) {
        let findings = findings ?? TabFindings(of: tabs)
        if findings.mayBreakRules(contains) { repairTabs(contains) }
        guard nodes.isEmpty else {
            repairForest()
            return repairActiveTab(contains)
        }
        if findings.hasParents || !attributes.groups.isEmpty { repairGroups() }
        if findings.hasParents || findings.hasZones { repairOrder() }
        repairActiveTab(contains)
    }

    private mutating func repairTabs(_ contains: (TabID) -> Bool) {
        for index in tabs.indices {
            if tabs[index].navigationItemCount < 0 {
                tabs[index].navigationItemCount = 0
                note(.navigationCountReset, tabs[index].id)
            }
            if let opener = tabs[index].opener?.tab,
                opener == tabs[index].id || !contains(opener)
            {
                tabs[index].opener = nil
                note(.openerRemoved, tabs[index].id)
            }
            if nodes.isEmpty, tabs[index].isPinned, tabs[index].group != nil {
                tabs[index].group = nil
                note(.pinnedTabUngrouped, tabs[index].id)
            }
        }
    }

    private mutating func repairGroups() {
        var used: Set<TabGroupID> = []
        var last: TabGroupID?
        for index in tabs.indices where tabs[index].group != last {
            last = tabs[index].group
            if let last { used.insert(last) }
        }
        var kept: [TabGroup] = []
        var known: Set<TabGroupID> = []
        for group in attributes.groups {
            if !known.insert(group.id).inserted {
                repairs.append(SessionRepair(.duplicateGroupRemoved, node: group.id))
            } else if !used.contains(group.id) {
                repairs.append(SessionRepair(.emptyGroupRemoved, node: group.id))
            } else {
                kept.append(group)
            }
        }
        if !used.isSubset(of: known) {
            for index in tabs.indices {
                guard let group = tabs[index].group, known.insert(group).inserted else { continue }
                kept.append(TabGroup(id: group))
                repairs.append(SessionRepair(.groupAdded, tab: tabs[index].id, node: group))
            }
        }
        attributes.groups = kept
    }

    /// Moves pinned tabs first, and then joins each group at its first tab.
    private mutating func repairOrder() {
        guard let moves = misplacedTabs() else { return }
        let pinned = tabs.filter(\.isPinned)
        var members: [TabGroupID: [TabMetadata]] = [:]
        for tab in tabs where !tab.isPinned {
            if let group = tab.group { members[group, default: []].append(tab) }
        }
        var order = pinned
        for tab in tabs where !tab.isPinned {
            guard let group = tab.group else {
                order.append(tab)
                continue
            }
            order += members.removeValue(forKey: group) ?? []
        }
        tabs = order
        placeTabs(moves)
    }

    /// Gives moved tabs an order key between their new neighbors. Also raises later tabs with an
    /// order key that is not above it: two tabs may have had the same one.
    private mutating func placeTabs(_ moves: [TabID: SessionRepair.Kind]) {
        var isPlaced = false
        for index in tabs.indices {
            let lower = index > 0 ? tabs[index - 1].place : nil
            let kind = moves[tabs[index].id]
            if let kind { note(kind, tabs[index].id) }
            isPlaced = kind != nil || isPlaced && lower.map { tabs[index].place <= $0 } == true
            guard isPlaced else { continue }
            let upper = tabs[(index + 1)...].first { tab in
                moves[tab.id] == nil && lower.map { $0 < tab.place } != false
            }
            tabs[index].place = .between(lower, and: upper?.place)
        }
        guard tabs.contains(where: { $0.place.length > OrderKey.maximumLength }) else { return }
        // Too many tabs moved to one spot for order keys that can be saved.
        let places = OrderKey.evenlySpaced(count: tabs.count)
        for index in tabs.indices { tabs[index].place = places[index] }
    }

    /// Returns the tabs that violate the order; `nil` if none does.
    private func misplacedTabs() -> [TabID: SessionRepair.Kind]? {
        var moves: [TabID: SessionRepair.Kind] = [:]
        var seen: Set<TabGroupID> = []
        var current: TabGroupID?
        var sawUnpinned = false
        for index in tabs.indices {
            if tabs[index].isPinned {
                if sawUnpinned { moves[tabs[index].id] = .pinnedTabMoved }
                continue
            }
            sawUnpinned = true
            if let group = tabs[index].group, group != current, !seen.insert(group).inserted {
                moves[tabs[index].id] = .groupedTabMoved
            } else {
                current = tabs[index].group
            }
        }
        return moves.isEmpty ? nil : moves
    }

    private mutating func repairActiveTab(_ contains: (TabID) -> Bool) {
        guard let active = attributes.activeTab, !contains(active) else { return }
        attributes.activeTab = tabs.max { $0.lastActiveAt < $1.lastActiveAt }?.id
        note(.activeTabReplaced, active)
    }

    private mutating func note(_ kind: SessionRepair.Kind, _ tab: TabID) {
        repairs.append(SessionRepair(kind, tab: tab))
    }
}
