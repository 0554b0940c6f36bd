public import BrowserSessions

extension RestoredSession {
    /// Puts tabs and nodes in their order, repairs what breaks a rule of the forest or of a tab, and
    /// notes each repair in ``repairs``.
    ///
    /// `SessionStorage.restore(_:at:)` must return sessions that obey the rules. A storage
    /// over ``OrderedSessionStorage`` does; one that keeps sessions in its own way calls this
    /// method on its result. ``tabs`` must be in the order of their order keys, and tabs with the
    /// same one in the order of their ids. Of two with one identifier the second gets another one. Afterwards the rules hold, and repairing again changes
    /// nothing.
    public mutating func repair() {
        let ids = Set(tabs.map(\.id))
        if ids.count < tabs.count { repairForest(mayHaveDoubles: true) }
        repair { ids.contains($0) }
    }

    /// Repairs a session with tabs that may not all have been read.
    ///
    /// - Parameter contains: whether a tab is in this session.
    /// - Parameter findings: what is known of the tabs from reading them; `nil` if nothing is.
    /// - Parameter isElsewhere: whether an identifier is that of a node in another session.
    mutating func repair(
        _ findings: TabFindings? = nil, isElsewhere: (NodeID) -> Bool = { _ in false },
        contains: (TabID) -> Bool
    ) {
        let findings = findings ?? TabFindings(of: tabs)
        if findings.mayBreakRules(contains) { repairTabs(contains) }
        if !nodes.isEmpty || findings.hasParents || findings.hasZones {
            repairForest(isElsewhere: isElsewhere)
        }
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
        }
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
