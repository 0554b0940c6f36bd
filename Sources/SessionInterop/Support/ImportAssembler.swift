import BrowserSessions

/// A combination of the readings of several sources, in which no session and no tab occurs twice.
struct ImportAssembler {
    let limits: ImportLimits
    var report = ImportReport()
    private var sessions: [SessionSnapshot] = []
    private var indexOfSession: [SessionID: Int] = [:]
    private var tabs: [StoragePartition: [TabID: TabSnapshot]] = [:]

    init(limits: ImportLimits) { self.limits = limits }

    mutating func add(_ reading: SourceReading, from source: FoundSources.Source) {
        var entry = ImportedSource(path: source.path, format: source.format)
        entry.counts = reading.counts
        var log = reading.log
        var openWindows: Set<WindowID> = []
        let windows = Set(
            reading.drafts.filter { $0.id.kind.role == .window }.map(\.id.window))
        for var draft in reading.drafts {
            if source.format != .canonical {
                for index in draft.tabs.indices { draft.tabs[index].unpark(&log) }
            }
            draft.noteClosing(windows)
            draft.tidy(&log)
            draft.fit(limits, &log)
            let counts = draft.counts
            entry.counts += counts
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
            var occurrence = 2
            let window = session.id.window
            while indexOfSession[session.id] != nil {
                session.id.window = window.again(occurrence, in: "window")
                occurrence += 1
            }
            log.repair(at: draft.location, "a window with the id of another got a new one")
        }
        separate(&session, draft.location, &log)
        indexOfSession[session.id] = sessions.count
        sessions.append(session)
        return session.id
    }

    /// Drops tabs that occurred before, and gives a new ID to other tabs with the same ID.
    private mutating func separate(
        _ session: inout SessionSnapshot, _ location: String, _ log: inout ProblemLog
    ) {
        var known = tabs.removeValue(forKey: session.id.partition) ?? [:]
        var renamed: [TabID: TabID] = [:]
        var kept: [TabSnapshot] = []
        var dropped: Set<TabID> = []
        for var tab in session.tabs {
            let id = tab.metadata.id
            if let twin = known[id] {
                if twin.hasSameContent(as: tab) {
                    dropped.insert(id)
                    continue
                }
                var occurrence = 2
                while known[tab.metadata.id] != nil {
                    tab.metadata.id = id.again(occurrence, in: "\(session.id)")
                    occurrence += 1
                }
                renamed[id] = tab.metadata.id
            }
            known[tab.metadata.id] = tab
            kept.append(tab)
        }
        tabs[session.id.partition] = known
        guard !renamed.isEmpty || !dropped.isEmpty else { return }
        if !renamed.isEmpty {
            log.repair(at: location, "\(renamed.count) tabs with ids of others got new ones")
        }
        if !dropped.isEmpty {
            log.repair(at: location, "\(dropped.count) tabs were in an earlier session already")
        }
        session.tabs = kept
        session.rename(renamed, without: dropped)
    }
}

extension SessionDraft {
    /// Notes the window, time, pin and group of each closed tab, so that pins and groups do not
    /// move or connect tabs that were closed at different times.
    fileprivate mutating func noteClosing(_ windows: Set<WindowID>) {
        guard id.kind.onTheRecord == .recentlyClosed else { return }
        let groups = Dictionary(
            attributes.groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for index in tabs.indices {
            let tab = tabs[index].metadata
            var facts = ClosedTabFacts(tab.properties)
            if facts.closedAt == nil, tab.lastActiveAt != .unknown {
                facts.closedAt = tab.lastActiveAt
            }
            if facts.session == nil, windows.contains(id.window) {
                facts.session = SessionID(
                    window: id.window, kind: id.isOffTheRecord ? .incognito : .regular)
            }
            facts.isPinned = facts.isPinned || tab.isPinned
            if !facts.isPinned {
                facts.group = facts.group ?? tab.group.map { groups[$0] ?? TabGroup(id: $0) }
            }
            facts.save(in: &tabs[index].metadata.properties)
            (tabs[index].metadata.isPinned, tabs[index].metadata.group) = (false, nil)
        }
        attributes.groups = []
    }

    var isClosed: Bool { attributes.closedAt != nil || id.kind.onTheRecord == .recentlyClosed }
}

extension SessionSnapshot {
    fileprivate func hasSameContent(as other: SessionSnapshot) -> Bool {
        attributes == other.attributes && tabs.count == other.tabs.count
            && zip(tabs, other.tabs).allSatisfy {
                $0.metadata.id == $1.metadata.id && $0.hasSameContent(as: $1)
            }
    }

    fileprivate mutating func rename(_ names: [TabID: TabID], without dropped: Set<TabID>) {
        func current(_ id: TabID) -> TabID? { dropped.contains(id) ? nil : names[id] ?? id }
        attributes.activeTab = attributes.activeTab.flatMap { current($0) }
        for index in tabs.indices {
            guard let opener = tabs[index].metadata.opener else { continue }
            tabs[index].metadata.opener = current(opener.tab).map {
                TabOpener(tab: $0, navigationIndex: opener.navigationIndex)
            }
        }
        let used = Set(tabs.compactMap(\.metadata.group))
        attributes.groups.removeAll { !used.contains($0.id) }
        renumberPlaces()
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
