import BrowserSessions

/// A combination of the readings of several sources, in which no session and no tab occurs twice.
struct ImportAssembler {
    let limits: ImportLimits
    var report = ImportReport()
    private var sessions: [SessionSnapshot] = []
    private var indexOfSession: [SessionID: Int] = [:]
    /// The tabs and nodes so far.
    private var known: [StoragePartition: (tabs: [TabID: TabSnapshot], nodes: Set<NodeID>)] = [:]

    init(limits: ImportLimits) { self.limits = limits }

    /// - Parameter isStandIn: Whether a newer file of the same profile could not be read.
    mutating func add(
        _ reading: SourceReading, from source: FoundSources.Source, isStandIn: Bool = false
    ) {
        var entry = ImportedSource(path: source.path, format: source.format)
        entry.counts = reading.counts
        entry.mayLackMore = isStandIn || reading.mayLackMore
        var log = reading.log
        var openWindows: Set<WindowID> = []
        let windows = Set(
            reading.drafts.filter { $0.id.kind.role == .window }.map(\.id.window))
        let openNodes = Set(
            reading.drafts.filter { $0.id.kind.role == .window }.flatMap { draft in
                draft.nodes.map(\.id) + draft.tabs.compactMap(\.metadata.group)
            })
        for var draft in reading.drafts {
            if source.format != .canonical {
                for index in draft.tabs.indices { draft.tabs[index].unpark(&log) }
            }
            draft.noteClosing(windows, openNodes)
            draft.tidy(&log)
            draft.fit(limits, &log)
            entry.counts += draft.counts
            if !draft.isClosed { openWindows.insert(draft.id.window) }
            if let id = add(draft, &log) { entry.sessions.append(id) }
        }
        entry.counts.windows = openWindows.count
        entry.problems = log.all()
        report.sources.append(entry)
    }

    func finish() -> SessionImport { SessionImport(sessions: sessions, report: report) }

    /// Adds a session and returns its resulting name; `nil` if an equal one was already there.
    private mutating func add(_ draft: SessionDraft, _ log: inout ProblemLog) -> SessionID? {
        var session = draft.snapshot()
        if let twin = indexOfSession[session.id] {
            if sessions[twin].hasSameContent(as: session) {
                log.note(at: draft.location, "the session was in an earlier file; it is taken once")
                return nil
            }
            let kind = session.id.kind
            session.id.window = session.id.window.free(from: 2, in: "window") {
                indexOfSession[SessionID(window: $0, kind: kind)] != nil
            }
            log.repair(at: draft.location, "a window with the id of another got a new one")
        }
        separate(&session, draft.location, &log)
        indexOfSession[session.id] = sessions.count
        sessions.append(session)
        return session.id
    }

    /// Drops tabs that occurred before, and gives a new ID to other tabs and nodes with the same ID.
    private mutating func separate(
        _ session: inout SessionSnapshot, _ location: String, _ log: inout ProblemLog
    ) {
        let place = "\(session.id)"
        let partition = session.id.partition
        var (tabs, nodes) = known.removeValue(forKey: partition) ?? (tabs: [:], nodes: [])
        var names: [NodeID: NodeID] = [:]
        var dropped: Set<TabID> = []
        session.tabs = session.tabs.compactMap { tab in
            var tab = tab
            let id = tab.metadata.id
            if let twin = tabs[id], twin.hasSameContent(as: tab) {
                dropped.insert(id)
                return nil
            }
            tab.metadata.id = id.free(from: 2, in: place) {
                tabs[$0] != nil || nodes.contains(NodeID($0))
            }
            if id != tab.metadata.id { names[NodeID(id)] = NodeID(tab.metadata.id) }
            tabs[tab.metadata.id] = tab
            return tab
        }
        let tabCount = names.count
        for index in session.nodes.indices {
            let id = session.nodes[index].id
            session.nodes[index].id = id.free(from: 2, in: place) {
                !nodes.insert($0).inserted || tabs[TabID($0)] != nil
            }
            if id != session.nodes[index].id { names[id] = session.nodes[index].id }
        }
        known[partition] = (tabs, nodes)
        log.report(dropped.count, tabCount, names.count - tabCount, at: location)
        if !names.isEmpty || !dropped.isEmpty { session.rename(names, without: dropped) }
    }
}

extension ProblemLog {
    /// Reports tabs that were dropped, and tabs and groups that got new identifiers.
    fileprivate mutating func report(_ dropped: Int, _ tabs: Int, _ groups: Int, at place: String) {
        if tabs > 0 { repair(at: place, "\(tabs) tabs with ids of others got new ones") }
        if groups > 0 {
            // Browsers give a group its identifier within one window or list.
            let count = counted(groups, "group")
            note(at: place, "\(count) with the id of one elsewhere got a new one")
        }
        if dropped > 0 { repair(at: place, "\(dropped) tabs were in an earlier session already") }
    }
}

extension SessionDraft {
    /// Notes the window and time of each closed tab, and its pin, so that pins do not move tabs that were
    /// closed at different times. A tab of a group that is still in a window names it; other groups are
    /// closed with their tabs.
    fileprivate mutating func noteClosing(_ windows: Set<WindowID>, _ openNodes: Set<NodeID>) {
        guard id.kind.onTheRecord == .recentlyClosed else { return }
        for index in tabs.indices {
            let tab = tabs[index].metadata
            var former = tab.closedFrom ?? FormerPlace()
            if former.time == .unknown { former.time = tab.lastActiveAt }
            if former.session.isEmpty, windows.contains(id.window) {
                let kind: SessionKind = id.isIncognito ? .incognito : .regular
                former.session = SessionID(window: id.window, kind: kind).description
            }
            if !hasPlaces {
                if tab.isPinned {
                    former.zone = .pinned
                    tabs[index].metadata.group = nil
                } else if let group = tab.group, openNodes.contains(group) {
                    former.parent = group
                    tabs[index].metadata.group = nil
                }
                tabs[index].metadata.isPinned = false
            }
            if former != FormerPlace() { tabs[index].metadata.closedFrom = former }
        }
    }

    var isClosed: Bool { attributes.closedAt != nil || id.kind.onTheRecord == .recentlyClosed }
}

extension SessionSnapshot {
    fileprivate func hasSameContent(as other: SessionSnapshot) -> Bool {
        attributes == other.attributes && nodes == other.nodes && tabs.count == other.tabs.count
            && zip(tabs, other.tabs).allSatisfy {
                $0.metadata.id == $1.metadata.id && $0.hasSameContent(as: $1)
            }
    }

    fileprivate mutating func rename(_ names: [NodeID: NodeID], without dropped: Set<TabID>) {
        func current(_ id: TabID) -> TabID? {
            dropped.contains(id) ? nil : TabID(names[NodeID(id)] ?? NodeID(id))
        }
        attributes.activeTab = attributes.activeTab.flatMap { current($0) }
        for index in tabs.indices {
            tabs[index].metadata.parent = tabs[index].metadata.parent.map { names[$0] ?? $0 }
            guard let opener = tabs[index].metadata.opener else { continue }
            tabs[index].metadata.opener = current(opener.tab).map { opener.renamed($0) }
        }
        for index in nodes.indices {
            nodes[index].parent = nodes[index].parent.map { names[$0] ?? $0 }
        }
        // Plain groups that have nothing in them anymore go.
        let used = Set(tabs.compactMap(\.metadata.parent)).union(nodes.compactMap(\.parent))
        nodes.removeAll { $0.isPlainGroup && !used.contains($0.id) }
    }
}

extension TabSnapshot {
    /// Returns whether everything except the position is equal.
    fileprivate func hasSameContent(as other: TabSnapshot) -> Bool {
        var metadata = other.metadata
        metadata.place = self.metadata.place
        return metadata == self.metadata && states == other.states
    }
}

extension TabOpener {
    /// Returns the same for a tab that got another identifier.
    func renamed(_ tab: TabID) -> TabOpener {
        var opener = self
        opener.tab = tab
        return opener
    }
}
