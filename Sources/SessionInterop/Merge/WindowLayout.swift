import BrowserSessions
import RestorePlans

/// A builder of the changes of one session from the decisions for its tabs.
struct WindowLayout {
    private let draft: WindowDraft
    /// The session as it is in the store, without tabs that move elsewhere.
    private let there: RestoredSession?
    private let mode: ImportMode
    private var tabs: [TabID: TabMetadata] = [:]
    private var changed: Set<TabID> = []
    private var counts: MergeCounts
    /// Whether what is there stays as it is.
    private var onlyAdds: Bool { draft.source.isIncomplete }

    init(_ draft: WindowDraft, _ there: RestoredSession?, _ mode: ImportMode) {
        self.draft = draft
        self.there = there
        self.mode = mode
        counts = draft.counts
        for tab in there?.tabs ?? [] { tabs[tab.id] = tab }
        for tab in draft.tabs where tab.decision != .leave {
            tabs[tab.snapshot.metadata.id] = tab.snapshot.metadata
            changed.insert(tab.snapshot.metadata.id)
        }
    }

    /// - Parameter moved: The tabs that other sessions of the import take.
    mutating func planned(withoutMoved moved: Set<TabID>) -> PlannedWindow {
        var planned = PlannedWindow(
            source: draft.source.session.id, sourceIndex: draft.source.index,
            target: draft.target)
        let isEmptyAndNew = draft.noted == nil && draft.tabs.isEmpty
        let isNeeded =
            !changed.isEmpty || !onlyAdds && (there != nil || isEmptyAndNew)
            || isEmptyAndNew && !draft.isOfKnownSource
        if isNeeded { planned.changes = changes() }
        planned.counts = counts
        let noted = noted(withoutMoved: moved)
        if noted != draft.noted, isNeeded || draft.noted != nil {
            planned.noted = noted
            planned.insteadOf = draft.noted?.ours
        }
        return planned
    }

    // MARK: Changes

    private mutating func changes() -> [SessionChanges.Change] {
        let order = order()
        place(order)
        var after = RestoredSession(
            id: draft.target, attributes: attributes(), tabs: order.compactMap { tabs[$0] },
            nodes: nodes())
        after.nodes.takePlaces(of: after.tabs)
        if there == nil {
            counts.sessionsAdded += 1
        } else if after.attributes != there?.attributes
            || Set(after.nodes) != there.map({ Set($0.nodes) })
        {
            counts.sessionsUpdated += 1
        }
        counts.tabsRemoved += Set(there?.tabs.map(\.id) ?? []).subtracting(order).count
        return SessionDifference(of: there, to: after).changes.changes
            + draft.tabs.filter { $0.decision != .leave }.flatMap(states)
    }

    private func states(of tab: PlacedTab) -> [SessionChanges.Change] {
        var names = Set(tab.snapshot.states.keys)
        if tab.decision == .update { names.formUnion(TabSnapshot.comparedStates) }
        return names.sorted { $0.rawValue < $1.rawValue }.map { name -> SessionChanges.Change in
            let key = TabStateKey(tab: tab.snapshot.metadata.id, name: name, in: draft.target)
            guard let state = tab.snapshot.states[name] else { return .removeState(key) }
            return .putState(state, for: key)
        }
    }

    private func attributes() -> SessionAttributes {
        let source = draft.source.session.attributes
        guard var attributes = there?.attributes, mode != .replacement else {
            var new = source
            new.activeTab = draft.activeTab.flatMap { tabs[$0] == nil ? nil : $0 }
            return new
        }
        if !onlyAdds, let noted = draft.noted, noted.attributes == attributes.contentPrint,
            noted.attributes != source.contentPrint
        {
            let closedAt = attributes.closedAt
            attributes.title = source.title
            attributes.properties = source.properties
            attributes.closedAt = closedAt
        }
        if isReopened { attributes.closedAt = nil }
        return attributes
    }

    private func nodes() -> [StructureNode] {
        let parents =
            draft.groups.compactMap(\.group.parent) + (there?.nodes ?? []).compactMap(\.parent)
        let used = Set(tabs.values.compactMap(\.parent)).union(parents)
        func isNeeded(_ node: StructureNode) -> Bool {
            !node.isPlainGroup || used.contains(node.id)
        }
        let news = draft.groups.filter { isNeeded($0.group) }
        guard var nodes = there?.nodes, mode != .replacement else { return news.map(\.group) }
        for (group, noted) in news {
            guard let index = nodes.firstIndex(where: { $0.id == group.id }) else {
                nodes.append(group)
                continue
            }
            let own = nodes[index].contentPrint
            if !onlyAdds, noted?.content == own, own != group.contentPrint {
                nodes[index].name = group.name
                nodes[index].color = group.color
            }
        }
        return onlyAdds ? nodes : nodes.filter(isNeeded)
    }

    /// Whether the source reopened a window that was imported as closed and is still closed here.
    private var isReopened: Bool {
        guard !onlyAdds, let there, let closedAt = draft.noted?.closedAt else { return false }
        return draft.source.isOpen && there.attributes.closedAt == closedAt
    }

    // MARK: Order

    /// Returns the tabs in order: in flat lists, pinned tabs first, each group contiguous.
    private func order() -> [TabID] {
        let list = merged()
        let nodes = (there?.nodes ?? []) + draft.groups.map(\.group)
        // Siblings in a tree keep their order wherever they are in the list.
        guard nodes.allSatisfy(\.isPlainGroup) else { return list }
        return list.compactMap { tabs[$0] }.inOrder { $0 }.map(\.id)
    }

    /// Returns the order here, in which new tabs follow the same tab as in the source. If no tab
    /// was moved here, existing tabs are in the order of the source.
    private func merged() -> [TabID] {
        let source = draft.tabs.map(\.snapshot.metadata.id).filter { tabs[$0] != nil }
        guard let there, mode != .replacement else { return source }
        var list = there.tabs.map(\.id)
        let isThere = Set(list)
        let common = source.filter { isThere.contains($0) }
        let isCommon = Set(common)
        let before = draft.noted?.tabs.map(\.ours).filter { isCommon.contains($0) } ?? []
        if !onlyAdds, before.count == common.count, list.filter({ isCommon.contains($0) }) == before
        {
            var next = common.makeIterator()
            for index in list.indices where isCommon.contains(list[index]) {
                if let id = next.next() { list[index] = id }
            }
        }
        var following: [TabID?: [TabID]] = [:]
        var last: TabID?
        for id in source {
            if isThere.contains(id) { last = id } else { following[last, default: []].append(id) }
        }
        return (following[nil] ?? []) + list.flatMap { [$0] + (following[$0] ?? []) }
    }

    /// Gives the tabs positions in that order. Only new tabs get one, if the others are in order or stay
    /// as they are.
    private mutating func place(_ order: [TabID]) {
        let old = Dictionary(firstOf: (there?.tabs ?? []).map { ($0.id, $0.place) })
        let oldPlaces = order.compactMap { old[$0] }
        let ascends = zip(oldPlaces, oldPlaces.dropFirst()).allSatisfy { $0 < $1 }
        guard ascends || onlyAdds, !oldPlaces.isEmpty else {
            for (id, place) in zip(order, OrderKey.evenlySpaced(count: order.count)) {
                if old[id] != place { changed.insert(id) }
                tabs[id]?.place = place
            }
            return
        }
        var lower: OrderKey?
        var rest = order[...]
        while !rest.isEmpty {
            let new = rest.prefix { old[$0] == nil }
            rest = rest.dropFirst(new.count)
            let upper = rest.popFirst().flatMap { old[$0] }
            let places = OrderKey.spread(new.count, between: lower, and: upper)
            for (id, place) in zip(new, places) { tabs[id]?.place = place }
            lower = upper
        }
    }

    // MARK: Notes

    private func noted(withoutMoved moved: Set<TabID>) -> NotedWindow {
        let source = draft.source
        if onlyAdds, let before = draft.noted {
            // What is noted about the rest is from a source that had it.
            guard !changed.isEmpty else { return before }
            var noted = before
            noted.ours = draft.target
            let indexOf = noted.note(draft.groups, there?.nodes ?? [], onlyAdds: true)
            noted.tabs += draft.tabs.filter { $0.decision == .add }.map {
                NotedWindow.Tab($0, indexOf)
            }
            return noted
        }
        let isUpdated = there == nil || draft.noted?.attributes == there?.attributes.contentPrint
        var noted = NotedWindow(
            origin: draft.noted?.origin.moved(to: source.origin) ?? source.origin,
            source: source.session.id,
            ours: changed.isEmpty ? draft.noted?.ours ?? draft.target : draft.target,
            attributes: source.session.attributes.contentPrint)
        if let before = draft.noted, !isUpdated { noted.attributes = before.attributes }
        noted.closedAt = draft.noted?.closedAt
        if there == nil, draft.noted == nil || !changed.isEmpty {
            noted.closedAt = source.session.attributes.closedAt
        } else if isReopened {
            noted.closedAt = nil
        }
        noted.groups = draft.noted?.groups ?? []
        let indexOf = noted.note(draft.groups, there?.nodes ?? [], onlyAdds: false)
        noted.tabs = draft.tabs.filter(\.isNotedHere).map { NotedWindow.Tab($0, indexOf) }
        let own = Set(noted.tabs.map(\.ours))
        noted.tabs +=
            draft.noted?.tabs.filter { !own.contains($0.ours) && !moved.contains($0.ours) } ?? []
        return noted
    }
}
