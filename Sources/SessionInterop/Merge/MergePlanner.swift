import BrowserSessions

/// A planner of an import, one partition of a store at a time.
struct MergePlanner {
    let mode: ImportMode
    var contents: StoreContents
    private(set) var planned: ImportPlan
    /// The window in the store for each window of a source.
    private var windowOf: [WindowID: WindowID] = [:]
    private var takenWindows: Set<WindowID> = []
    private var targets: Set<SessionID> = []
    private var takenTabs: Set<TabID> = []
    /// The sessions that nodes of the partition are in.
    private var nodeHomes: [NodeID: SessionID] = [:]

    init(_ mode: ImportMode, _ contents: StoreContents, _ empty: ImportPlan) {
        (self.mode, self.contents, planned) = (mode, contents, empty)
    }

    /// Plans the sessions of one partition.
    mutating func plan(_ sources: [SourceWindow], _ partition: StoragePartition)
        async throws(StorageError)
    {
        let noted = planned.records.all.filter { $0.ours.partition == partition }
        takenTabs = Set(noted.flatMap { $0.tabs.map(\.ours) })
        nodeHomes = contents.nodeHomes(in: partition)
        if mode == .addition {
            let origins = Set(sources.filter { !$0.isIncomplete }.map(\.origin))
            for window in noted where origins.contains(window.origin) {
                planned.records.forget(window.ours)
            }
        }
        var matcher = ImportMatcher(sources, mode == .addition ? [] : noted)
        try await matcher.matchRemnants(contents)
        var drafts = sources.indices.map { index in
            planned.matched[sources[index].index, default: []].formUnion(matcher.places(of: index))
            return draft(index, matcher)
        }
        let nodeOf = drafts.reduce(into: [:]) { names, draft in
            names.merge(draft.nodeOf) { first, _ in first }
        }
        for index in drafts.indices { drafts[index].renameFormerPlaces(windowOf, nodeOf) }
        let changedHere = try await tabsChangedHere(drafts, partition)
        for index in drafts.indices { try decide(&drafts[index], changedHere) }
        let moved = Set(
            drafts.flatMap { draft in draft.tabs.filter(\.isMoved).map(\.snapshot.metadata.id) })
        for id in moved { contents.remove(id, in: partition) }
        for draft in drafts {
            var layout = WindowLayout(draft, contents.sessions[draft.target], mode)
            planned.windows.append(layout.planned(withoutMoved: moved))
        }
        countMissing(matcher, drafts, partition)
    }

    private mutating func countMissing(
        _ matcher: ImportMatcher, _ drafts: [WindowDraft], _ partition: StoragePartition
    ) {
        guard mode == .merge else { return }
        let matched = Set(drafts.flatMap { $0.tabs.map(\.snapshot.metadata.id) })
        for (source, place) in matcher.missing where !drafts[source].source.isIncomplete {
            let tab = matcher.noted[place.window].tabs[place.tab].ours
            guard !matched.contains(tab), contents.home(of: tab, in: partition) != nil else {
                continue
            }
            planned.gone[drafts[source].source.index, default: 0] += 1
        }
    }

    // MARK: Names

    private mutating func draft(_ index: Int, _ matcher: ImportMatcher) -> WindowDraft {
        let source = matcher.sources[index]
        let noted = matcher.windows[index].map { matcher.noted[$0] }
        var draft = WindowDraft(source: source, noted: noted, target: target(source, noted))
        draft.isOfKnownSource = !matcher.relations.origins(of: source.origin).isEmpty
        let partition = draft.target.partition
        for (tab, snapshot) in source.session.tabs.enumerated() {
            var placed = PlacedTab(snapshot, source.prints[tab])
            if let place = matcher.tabs[index][tab] {
                let window = matcher.noted[place.window]
                placed.noted = (window, window.tabs[place.tab])
                placed.snapshot.metadata.id = window.tabs[place.tab].ours
            } else {
                placed.isAmbiguous = matcher.relations.holds(
                    source.origin, history: placed.print.history)
                let id = snapshot.metadata.id
                placed.isAdopted =
                    mode != .addition && !takenTabs.contains(id)
                    && contents.home(of: id, in: partition) != nil
                if !placed.isAdopted {
                    placed.snapshot.metadata.id = id.free(from: 1, in: "import") {
                        takenTabs.contains($0) || contents.home(of: $0, in: partition) != nil
                    }
                }
            }
            takenTabs.insert(placed.snapshot.metadata.id)
            draft.tabs.append(placed)
        }
        draft.connect(nodesThere: contents.sessions[draft.target]?.nodes, homes: &nodeHomes)
        return draft
    }

    /// Returns the session that gets the new tabs of a session.
    private mutating func target(_ source: SourceWindow, _ noted: NotedWindow?) -> SessionID {
        let id = source.session.id
        let free = id.window.free(from: 1, in: "import") {
            contents.windows.contains($0) || takenWindows.contains($0)
        }
        let target = usualTarget(source, noted) ?? SessionID(window: free, kind: id.kind)
        if windowOf[id.window] == nil { windowOf[id.window] = target.window }
        takenWindows.insert(target.window)
        targets.insert(target)
        return target
    }

    private func usualTarget(_ source: SourceWindow, _ noted: NotedWindow?) -> SessionID? {
        let id = source.session.id
        if let noted {
            // A window that was closed here stays closed.
            let fits =
                mode == .replacement || contents.sessions[noted.ours] == nil
                || contents.isOpen(noted.ours) == source.isOpen
                || contents.isClosedAsImported(noted)
            if fits, !targets.contains(noted.ours) { return noted.ours }
            return nil
        }
        if let window = windowOf[id.window] {
            let sibling = SessionID(window: window, kind: id.kind)
            let isFree = contents.sessions[sibling] == nil && !targets.contains(sibling)
            return isFree ? sibling : nil
        }
        let isOurs = mode != .addition && !planned.records.holds(id) && !targets.contains(id)
        guard isOurs, contents.sessions[id] != nil, contents.isOpen(id) == source.isOpen else {
            return nil
        }
        return id
    }
}

/// A session of a source while it is planned.
struct WindowDraft {
    let source: SourceWindow
    /// The notes about the session.
    let noted: NotedWindow?
    /// The session that gets the new tabs of this one.
    let target: SessionID
    var tabs: [PlacedTab] = []
    /// The groups that are in use, with their names in the store.
    var groups: [(group: StructureNode, noted: NotedWindow.Group?)] = []
    /// The names in the store of the groups and other nodes of the source.
    private(set) var nodeOf: [NodeID: NodeID] = [:]
    var activeTab: TabID?
    /// Whether the source was imported before.
    var isOfKnownSource = false
    var counts = MergeCounts()

    /// Gives openers, groups and the active tab their names in the store.
    ///
    /// A group is the one in which its tabs were noted. A noted group that no longer exists was
    /// dissolved here, so its new tabs are in no group.
    ///
    /// - Parameters:
    ///   - nodesThere: what the target has; `nil` if it is new.
    ///   - homes: the sessions that nodes are in. A node that is elsewhere gets another identifier.
    mutating func connect(nodesThere: [StructureNode]?, homes: inout [NodeID: SessionID]) {
        let session = source.session
        let names = Dictionary(
            firstOf: zip(session.tabs, tabs).map { ($0.metadata.id, $1.snapshot.metadata.id) })
        activeTab = session.attributes.activeTab.flatMap { names[$0] }
        let groupOf = nameGroups(&homes)
        nodeOf = groupOf.merging(names.map { (NodeID($0), NodeID($1)) }) { first, _ in first }
        let dissolved = nodesThere.map { there in
            Set(groups.filter { $0.noted != nil }.map(\.group.id)).subtracting(there.map(\.id))
        }
        for index in tabs.indices {
            var tab = tabs[index].snapshot.metadata
            tab.parent = tab.parent.flatMap { groupOf[$0] ?? names[TabID($0)].map(NodeID.init) }
            if tab.parent == nil { tab.edge = .member }
            if let opener = tab.opener {
                tab.opener = names[opener.tab].map { opener.renamed($0) }
            }
            let isNew = tabs[index].noted == nil && !tabs[index].isAdopted
            if isNew, let group = tab.group, dissolved?.contains(group) == true { tab.group = nil }
            tabs[index].snapshot.metadata = tab
            tabs[index].content = tabs[index].snapshot.contentPrint
        }
    }

    /// Renames the windows and nodes that closed tabs and nodes were in.
    mutating func renameFormerPlaces(
        _ windowOf: [WindowID: WindowID], _ nodeOf: [NodeID: NodeID]
    ) {
        for index in tabs.indices {
            tabs[index].snapshot.metadata.closedFrom?.rename(windowOf, nodeOf)
        }
        for index in groups.indices { groups[index].group.closedFrom?.rename(windowOf, nodeOf) }
    }

    /// Finds the groups that were noted. Returns the names of all groups in the store.
    private mutating func nameGroups(_ homes: inout [NodeID: SessionID]) -> [NodeID: NodeID] {
        var votes: [NodeID: NotedWindow.Group] = [:]
        for tab in tabs {
            guard let group = tab.snapshot.metadata.group, let (window, noted) = tab.noted,
                votes[group] == nil
            else { continue }
            votes[group] = noted.group.map { window.groups[$0] }
        }
        var used: Set<NodeID> = []
        var groupOf: [NodeID: NodeID] = [:]
        for var group in source.session.nodes {
            let name = group.id
            if let noted = votes[name], used.insert(noted.ours).inserted {
                group.id = noted.ours
            } else if target.window != source.session.id.window {
                group.id = name.again(1, in: "\(target)")
            }
            group.id = group.id.free(from: 1, in: "\(target)") { (homes[$0] ?? target) != target }
            homes[group.id] = target
            let vote = votes[name].flatMap { $0.ours == group.id ? $0 : nil }
            if vote == nil { used.insert(group.id) }
            groupOf[name] = group.id
            groups.append((group, vote))
        }
        for index in groups.indices {
            groups[index].group.parent = groups[index].group.parent.map { groupOf[$0] ?? $0 }
        }
        return groupOf
    }
}

extension FormerPlace {
    /// Gives the window and the nodes their names in the store.
    fileprivate mutating func rename(
        _ windowOf: [WindowID: WindowID], _ nodeOf: [NodeID: NodeID]
    ) {
        if var session = SessionID(session), let window = windowOf[session.window] {
            session.window = window
            self.session = session.description
        }
        parent = parent.map { nodeOf[$0] ?? $0 }
        previous = previous.map { nodeOf[$0] ?? $0 }
    }
}
