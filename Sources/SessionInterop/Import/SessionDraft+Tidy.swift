import BrowserSessions

extension SessionDraft {
    /// Corrects what breaks the rules of a tab list, keeps every tab, and reports the corrections.
    ///
    /// Afterwards, pinned tabs come first and are in no group. Groups are contiguous, and none is
    /// empty or listed twice. Openers and the active tab are in the session.
    mutating func tidy(_ log: inout ProblemLog) {
        tidyTabs(&log)
        if hasPlaces { return tidyForest(&log) }
        tidyGroups(&log)
        tidyOrder(&log)
    }

    private mutating func tidyTabs(_ log: inout ProblemLog) {
        let known = Set(tabs.map(\.metadata.id))
        for index in tabs.indices {
            let location = tabs[index].location
            if tabs[index].metadata.navigationItemCount < 0 {
                tabs[index].metadata.navigationItemCount = 0
                log.repair(at: location, "a negative count of history entries became 0")
            }
            if let opener = tabs[index].metadata.opener?.tab,
                opener == tabs[index].metadata.id || !known.contains(opener)
            {
                tabs[index].metadata.opener = nil
                log.repair(at: location, "an opener that is not another tab here was removed")
            }
            if !hasPlaces, tabs[index].metadata.isPinned, tabs[index].metadata.group != nil {
                tabs[index].metadata.group = nil
                log.repair(at: location, "a pinned tab was taken out of its group")
            }
        }
        if let active = attributes.activeTab, !known.contains(active) {
            attributes.activeTab = nil
            log.repair(at: location, "the active tab is not in the session; none is active")
        }
    }

    private mutating func tidyForest(_ log: inout ProblemLog) {
        var session = RestoredSession(
            id: id, attributes: attributes, tabs: tabs.map(\.metadata), nodes: nodes)
        let order = session.repairForest(mayHaveDoubles: true)
        for repair in session.repairs {
            log.repair(at: location, "the tree of nodes was repaired: \(repair.kind.rawValue)")
        }
        nodes = session.nodes
        // By their numbers, since what is repaired may have another identifier.
        tabs = zip(order, session.tabs).map { number, tab in
            var draft = tabs[number]
            draft.metadata = tab
            return draft
        }
    }

    private mutating func tidyGroups(_ log: inout ProblemLog) {
        let used = Set(tabs.compactMap(\.metadata.group))
        var known: Set<NodeID> = []
        var kept: [StructureNode] = []
        for group in nodes {
            if !used.contains(group.id) {
                log.note(at: location, "a group without tabs was left out")
            } else if !known.insert(group.id).inserted {
                log.repair(at: location, "a group was listed twice; the first stays")
            } else {
                kept.append(group)
            }
        }
        for group in tabs.compactMap(\.metadata.group) where known.insert(group).inserted {
            kept.append(StructureNode.group(id: group))
            log.repair(at: location, "a group that only its tabs name was added")
        }
        nodes = kept
    }

    private mutating func tidyOrder(_ log: inout ProblemLog) {
        let order = tabs.inOrder(\.metadata)
        guard order.map(\.metadata.id) != tabs.map(\.metadata.id) else { return }
        tabs = order
        // Tabs of a group that were closed one by one are not next to each other.
        guard id.kind.onTheRecord != .recentlyClosed else { return }
        log.repair(at: location, "tabs were moved: pinned ones first, groups in one piece")
    }
}

extension Array {
    /// Returns pinned tabs first, then the others, with each group at the position of its first tab.
    func inOrder(_ metadata: (Element) -> TabMetadata) -> [Element] {
        let others = filter { !metadata($0).isPinned }
        var members = Dictionary(grouping: others) { metadata($0).group }
        return filter { metadata($0).isPinned }
            + others.flatMap { tab in
                guard let group = metadata(tab).group else { return [tab] }
                return members.removeValue(forKey: group) ?? []
            }
    }
}
