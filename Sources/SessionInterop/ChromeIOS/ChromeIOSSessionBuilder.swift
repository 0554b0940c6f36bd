import BrowserSessions

/// A builder of a session from a list. It replaces indexes with identifiers and corrects values.
struct ChromeIOSSessionBuilder {
    let list: ChromeIOSList
    let identity: SourceIdentity
    var draft: SessionDraft
    /// The tab of each item. A duplicate that was dropped has the tab of the item that was kept.
    var tabOfItem: [TabID] = []
    var groups: Set<NodeID> = []

    mutating func build(
        _ reading: inout SourceReading,
        load: (ChromeIOSList.Item, inout TabDraft, inout ProblemLog) -> Void
    ) {
        var seen: [Int32: [Int]] = [:]
        for (index, item) in list.items.enumerated() {
            let location = "\(list.file), item \(index)"
            guard reading.nextTab(at: location) != nil else { break }
            let number = item.message.identifier
            let hasNumber = number > 0 || item.archived == nil
            let twins = hasNumber ? seen[number, default: []] : []
            if let twin = twins.first(where: { list.items[$0] == item }) {
                tabOfItem.append(tabOfItem[twin])
                reading.log.repair(at: location, "a tab is listed twice; the first stays")
                continue
            }
            seen[number, default: []].append(index)
            var tab = TabDraft(id: identifier(item, index, twins.count), location: location)
            if let metadata = item.message.metadata { tab.metadata.adopt(metadata) }
            tab.metadata.isPinned = index < Int(list.pinnedCount)
            if number <= 0, item.archived?.id == nil {
                reading.log.repair(at: location, "an illegal tab id was replaced")
            } else if number > 0, !twins.isEmpty {
                reading.log.repair(at: location, "a tab with the id of another got a new one")
            }
            if number > 0 && twins.isEmpty || item.archived != nil {
                load(item, &tab, &reading.log)
            }
            let stored = tab.metadata
            tab.adoptHistory()
            if item.message.metadata != nil {
                tab.metadata.navigationItemCount = stored.navigationItemCount
            }
            tabOfItem.append(tab.metadata.id)
            draft.tabs.append(tab)
        }
        connect(&reading.log)
        group(&reading.log)
    }

    private func identifier(_ item: ChromeIOSList.Item, _ index: Int, _ twins: Int) -> TabID {
        let number = item.message.identifier
        if number <= 0 {
            return item.archived?.id ?? identity.identifier("item", String(index))
        }
        if twins > 0 { return identity.identifier("tab", String(number), "twin \(twins)") }
        return identity.identifier("tab", String(number))
    }

    /// Sets the active tab, pinned tabs and openers.
    private mutating func connect(_ log: inout ProblemLog) {
        let active = Int(list.activeIndex)
        if tabOfItem.indices.contains(active) {
            draft.attributes.activeTab = tabOfItem[active]
        } else if active != -1, !(active == 0 && list.items.isEmpty) {
            log.repair(at: list.file, "the active index is out of range; no tab is active")
        }
        if list.pinnedCount < 0 || Int(list.pinnedCount) > list.items.count {
            log.repair(at: list.file, "the number of pinned tabs is out of range")
        }
        var openers: [TabID: TabOpener] = [:]
        for (index, item) in list.items.prefix(tabOfItem.count).enumerated() {
            guard let opener = item.message.opener else { continue }
            let place = Int(truncatingIfNeeded: opener.first)
            guard tabOfItem.indices.contains(place) else {
                log.repair(at: "\(list.file), item \(index)", "an opener out of range was removed")
                continue
            }
            openers[tabOfItem[index]] = TabOpener(
                tab: tabOfItem[place], navigationIndex: Int32(truncatingIfNeeded: opener.second))
        }
        for index in draft.tabs.indices {
            draft.tabs[index].metadata.opener = openers[draft.tabs[index].metadata.id]
        }
    }

    private mutating func group(_ log: inout ProblemLog) {
        var groupOfTab: [TabID: NodeID] = [:]
        for (index, group) in list.groups.enumerated() {
            let location = "\(list.file), group \(index)"
            let wanted = group.places
            let range = wanted.clamped(to: 0..<tabOfItem.count)
            if range != wanted || wanted.isEmpty {
                log.repair(at: location, "the range of the group does not fit the list")
            }
            guard !range.isEmpty else { continue }
            let id = groupID(group, index)
            draft.nodes.append(
                StructureNode.group(
                    id: id, name: group.title, color: TabGroupColor(rawValue: group.color),
                    isCollapsed: group.isCollapsed))
            for tab in tabOfItem[range] {
                if groupOfTab[tab] == nil {
                    groupOfTab[tab] = id
                } else {
                    log.repair(at: location, "a tab is in two groups; it stays in the first")
                }
            }
        }
        for index in draft.tabs.indices {
            draft.tabs[index].metadata.group = groupOfTab[draft.tabs[index].metadata.id]
        }
    }

    /// Returns the ID of a group: a new one if the ID is zero or was used before.
    private mutating func groupID(_ group: ChromeIOSGroup, _ index: Int) -> NodeID {
        let id = NodeID(
            high: UInt64(bitPattern: group.id?.second ?? 0),
            low: UInt64(bitPattern: group.id?.first ?? 0))
        return id == NodeID(high: 0, low: 0) || !groups.insert(id).inserted
            ? identity.identifier("group", String(index)) : id
    }
}
