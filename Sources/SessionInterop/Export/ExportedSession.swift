import BrowserSessions

/// A session in the form that writers use, in which every tab has a decoded history.
struct ExportedSession {
    var id: SessionID
    var attributes: SessionAttributes
    /// The groups of the tabs, flat.
    var groups: [StructureNode]
    /// The number of nodes that formats do not hold as they are; see ``FlatTabList``.
    let hiddenCount: Int
    var tabs: [ExportedTab] = []
    /// What could not be read of the session in the store, in sentences.
    var losses: [String] = []
    /// The part that counts its tabs if a format cannot hold them, regular or incognito; `nil` for
    /// open tabs.
    let place: SessionPart?
    /// Whether it is a space of a library, which formats have as a window.
    let isSpace: Bool

    /// The tabs as the flat list has them, with their positions there; `nil` if they are so already.
    let flat: [TabID: (index: Int, tab: TabMetadata)]?

    /// - Parameter list: The tabs and groups, without deeper structure.
    init(
        _ id: SessionID, _ attributes: SessionAttributes, _ list: FlatTabList, place: SessionPart?,
        isSpace: Bool
    ) {
        self.isSpace = isSpace
        self.id = id
        self.attributes = attributes
        self.place = place
        (groups, hiddenCount) = (list.groups, list.hiddenCount)
        flat =
            list.hiddenCount == 0
            ? nil
            : Dictionary(firstOf: list.tabs.enumerated().map { ($1.id, ($0, $1)) })
    }

    /// - Parameters:
    ///   - isDamaged: Whether the tab's history could not be read in the store.
    ///   - format: The target format. Entries with addresses that it cannot hold are left out and
    ///     counted, and so is a tab that has no entry left.
    mutating func add(
        _ tab: TabSnapshot, isDamaged: Bool, for format: ExportFormat, _ lost: inout ExportLosses
    ) {
        let saved = tab.states[.navigation]
        let read = saved.flatMap { try? NavigationHistory(encoded: $0) }
        var history = read ?? NavigationHistory()
        if history.entries.isEmpty, !tab.metadata.url.isEmpty {
            history = NavigationHistory(url: tab.metadata.url, title: tab.metadata.title)
        }
        if history.currentIndex == nil, !history.entries.isEmpty {
            history.currentIndex = history.entries.count - 1
        }
        guard Self.fit(&history, tab.metadata.url, to: format, &lost) else { return }
        let native = format.holdsNative ? tab.states[.native] : nil
        let kept = (saved == nil ? 0 : 1) + (native == nil ? 0 : 1)
        let isUnreadable = isDamaged || (saved != nil && read == nil)
        var metadata = flat?[tab.metadata.id]?.tab ?? tab.metadata
        if id.kind.onTheRecord == .recentlyClosed, metadata.closedFrom?.zone == .pinned {
            metadata.isPinned = true
        }
        tabs.append(
            ExportedTab(
                metadata: metadata, history: history,
                origin: isUnreadable ? .unreadable : saved == nil ? .metadata : .saved,
                native: native, otherStates: tab.states.count - kept))
    }

    /// Whether the session is incognito.
    var isIncognito: Bool { id.partition == .incognito }

    /// Puts closed tabs into the groups that they were in and that are still in windows.
    ///
    /// - Parameter open: those groups.
    mutating func rejoin(_ open: [NodeID: StructureNode]) {
        guard id.kind.onTheRecord == .recentlyClosed else { return }
        for index in tabs.indices where tabs[index].metadata.group == nil {
            guard !tabs[index].metadata.isPinned,
                let group = tabs[index].metadata.closedFrom?.parent.flatMap({ open[$0] })
            else { continue }
            tabs[index].metadata.group = group.id
            if !groups.contains(where: { $0.id == group.id }) { groups.append(group) }
        }
    }

    /// Puts pinned tabs first, makes each group contiguous, and removes tabs from missing groups,
    /// as browsers expect. Closed tabs stay as they are.
    mutating func tidy() {
        guard id.kind.onTheRecord != .recentlyClosed else { return }
        if let flat {
            tabs.sort { (flat[$0.id]?.index ?? .max) < (flat[$1.id]?.index ?? .max) }
        }
        let known = Set(groups.map(\.id))
        for index in tabs.indices {
            guard let group = tabs[index].metadata.group else { continue }
            if tabs[index].metadata.isPinned || !known.contains(group) {
                tabs[index].metadata.group = nil
            }
        }
        tabs = tabs.inOrder(\.metadata)
    }

    /// Removes entries that the format cannot hold, and those that are farthest from the current one if
    /// there are too many. Returns `false` if nothing of the tab is left.
    private static func fit(
        _ history: inout NavigationHistory, _ url: String, to format: ExportFormat,
        _ lost: inout ExportLosses
    ) -> Bool {
        guard format.holds.contains(.histories) else {
            lost.add(.tabs, format.writer.takes(url) ? 0 : 1)
            return format.writer.takes(url)
        }
        let fitting = history.entries.indices.filter {
            format.writer.takes(history.entries[$0].url)
        }
        let current = history.currentIndex ?? 0
        let place = max((fitting.firstIndex { $0 > current } ?? fitting.count) - 1, 0)
        let excess = max(fitting.count - format.maximumEntries, 0)
        let start = min(max(place - format.maximumEntries / 2, 0), excess)
        let kept = fitting.dropFirst(start).prefix(format.maximumEntries)
        guard kept.count < history.entries.count else { return true }
        lost.add(kept.isEmpty ? .tabs : .histories, history.entries.count - kept.count)
        history.currentIndex = place - start
        history.entries = kept.map { history.entries[$0] }
        return !kept.isEmpty
    }

    /// The index of the active tab; `nil` if none is active.
    var activeIndex: Int? {
        attributes.activeTab.flatMap { active in tabs.firstIndex { $0.metadata.id == active } }
    }

    /// The groups that have tabs, in the order of the session.
    var usedGroups: [StructureNode] {
        let used = Set(tabs.compactMap(\.metadata.group))
        return groups.filter { used.contains($0.id) }
    }
}

/// A tab in the form that writers use.
struct ExportedTab {
    var id: TabID { metadata.id }
    var metadata: TabMetadata
    /// The history. It has no entry if the tab never had an address.
    var history: NavigationHistory
    var origin: HistoryOrigin
    /// The origin of the history.
    enum HistoryOrigin {
        /// The saved history.
        case saved
        /// No history was saved, so it has the tab's address.
        case metadata
        /// The saved history cannot be read, so it has the tab's address.
        case unreadable
    }

    /// The bytes of an engine, if the format can hold them.
    var native: [UInt8]?
    /// The number of other blobs of the tab.
    var otherStates: Int

    /// The noted time at which a tab was closed, or else the time of its last use.
    var closedAt: Timestamp {
        let time = metadata.closedFrom?.time ?? .unknown
        return time == .unknown ? metadata.lastActiveAt : time
    }
}

extension [ExportedSession] {
    /// The index of the front window, which was used last. If no window has a time of last use, it
    /// is the one that its browser noted, or else the last one.
    var focused: Int? {
        if let last = indices.max(by: {
            self[$0].attributes.lastActiveAt < self[$1].attributes.lastActiveAt
        }), self[last].attributes.lastActiveAt != .unknown {
            return last
        }
        let noted = firstIndex {
            $0.attributes.properties["firefox.is-selected-window"] == "true"
                || $0.attributes.properties["chromium.is-active"] == "true"
        }
        return noted ?? indices.last
    }
}
