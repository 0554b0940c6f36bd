import BrowserSessions

/// A writer of the `sessionstore` file of Firefox for desktop, which ``FirefoxFormat`` reads.
///
/// The smallest form that Firefox accepts is a list of windows with tabs that have entries.
/// Everything else comes from what sessions of this package hold beyond that. Values that count or
/// name tabs are computed when they are written.
enum FirefoxWriter: FormatWriter {
    static func write(
        _ sessions: [ExportedSession], at time: Timestamp, _ losses: inout ExportLosses
    ) throws(StorageError) -> [ExportedFile] {
        var content = FirefoxContent(time: time, losses: losses)
        let text = content.root(sessions).encoded()
        losses = content.losses
        return [ExportedFile(path: "", bytes: try MozLZ4.fold(text))]
    }
}

/// The content of the file.
private struct FirefoxContent {
    let time: Timestamp
    var losses: ExportLosses
    /// The last number of a closed tab, group or window. They share one sequence.
    var lastClosedID: Int64 = 0

    mutating func root(_ sessions: [ExportedSession]) -> JSONValue {
        let open = sessions.filter { $0.place == nil }
        let others = sessions.filter { $0.place != nil && $0.place != .closedTabs }
        let focused = open.focused
        var closed = FirefoxClosedTabs(
            sessions.filter { $0.place == .closedTabs },
            openGroups: Set(open.flatMap { $0.usedGroups.map(\.id) }),
            in: (open + others.filter { $0.id.kind.role == .window }).map(\.id.window),
            default: focused.map { open[$0].id.window })
        let depths = depths(of: open, focused: focused)
        let windows = zip(open, depths).map { session, depth in
            var window = self.window(session, &closed)
            window["zIndex"] = .integer(depth)
            return JSONValue.object(window)
        }
        let unplaced = closed.unplaced
        let closedWindows = (others + unplaced).lastClosedFirst.map { closedWindow($0, &closed) }
        let milliseconds = time.microseconds / 1000
        return .object([
            "version": .array([.string("sessionrestore"), .integer(1)]),
            "windows": .array(windows),
            "selectedWindow": .integer(Int64(focused ?? -1) + 1),
            "_closedWindows": .array(closedWindows),
            "session": .object([
                "lastUpdate": .integer(milliseconds), "startTime": .integer(milliseconds),
                "recentCrashes": .integer(0), "state": .string("stopped"),
            ]),
            "savedGroups": .array(groups(closed.savedGroups)), "global": .object([:]),
            "cookies": .array([]),
        ])
    }

    /// Returns the depths of windows. Firefox brings the window with the lowest number to the
    /// front, even if another one is selected. Its own numbers stay until a window is used.
    private func depths(of open: [ExportedSession], focused: Int?) -> [Int64] {
        let noted = open.compactMap { session in
            session.attributes.lastActiveAt == .unknown
                ? session.attributes.properties["firefox.zIndex"].flatMap { Int64($0) } : nil
        }
        if noted.count == open.count, Set(noted).count == noted.count { return noted }
        return open.indices.map { $0 == focused ? 1 : 2 }
    }

    private mutating func window(_ session: ExportedSession, _ closed: inout FirefoxClosedTabs)
        -> [String: JSONValue]
    {
        var window = FirefoxProperties.members(
            FirefoxProperties.names(ofWindow: session.tabs.count),
            of: session.attributes.properties, &losses)
        let views = FirefoxSplitViews(session.tabs)
        let shown = session.activeIndex ?? 0
        let tabs = session.tabs.enumerated().map { index, tab in
            var object = self.tab(tab, isShown: index == shown)
            object["splitViewId"] = views.numbers[index].map { .integer(Int64($0)) }
            return JSONValue.object(object)
        }
        window["tabs"] = .array(tabs)
        window["selected"] = .integer(Int64(shown) + 1)
        if !views.sizes.isEmpty { window["splitViews"] = views.list }
        window["groups"] = .array(
            session.usedGroups.map { .object(FirefoxProperties.members(of: $0)) })
        // Incognito windows are in no file. What was closed is in a window's first session.
        let ofWindow = closed.take(session.id.window)
        window["_closedTabs"] = .array(
            ofWindow.single.map { self.closed($0, of: session.tabs.count) })
        window["closedGroups"] = .array(groups(ofWindow.groups))
        return window
    }

    private mutating func closedWindow(
        _ session: ExportedSession, _ closed: inout FirefoxClosedTabs
    ) -> JSONValue {
        var window = window(session, &closed)
        let active = session.activeIndex.map { session.tabs[$0] } ?? session.tabs.first
        window["title"] = .string(active?.metadata.title ?? "")
        let closedAt = session.closedAt
        window["closedAt"] = .integer((closedAt == .unknown ? time : closedAt).milliseconds)
        window["closedId"] = nextClosedID()
        return .object(window)
    }

    private mutating func groups(_ groups: [FirefoxClosedTabs.Group]) -> [JSONValue] {
        groups.map { group -> JSONValue in
            var object = FirefoxProperties.members(of: group.group)
            let closedAt = group.tabs.map(\.closedAt).max() ?? .unknown
            object["closedAt"] = .integer((closedAt == .unknown ? time : closedAt).milliseconds)
            object["closedId"] = nextClosedID()
            object["tabs"] = .array(group.tabs.map { closed($0, of: .max) })
            return .object(object)
        }
    }

    private mutating func closed(_ tab: ExportedTab, of count: Int) -> JSONValue {
        let icon = tab.metadata.faviconURL
        let position = min(max(tab.metadata.closedFrom?.index ?? 0, 0), count)
        return .object([
            "state": .object(self.tab(tab, isShown: true)),
            "title": .string(tab.metadata.title),
            "image": icon.isEmpty ? .null : .string(icon), "pos": .integer(Int64(position)),
            "closedAt": .integer(tab.closedAt.milliseconds), "closedId": nextClosedID(),
        ])
    }

    private mutating func nextClosedID() -> JSONValue {
        lastClosedID += 1
        return .integer(lastClosedID)
    }
}

// MARK: - Tabs

extension FirefoxContent {
    private mutating func tab(_ tab: ExportedTab, isShown: Bool) -> [String: JSONValue] {
        let metadata = tab.metadata
        var members = FirefoxProperties.members(
            FirefoxProperties.names(ofTab: isShown || metadata.isPinned),
            of: metadata.properties, &losses, besides: FirefoxProperties.splitView)
        var page: [String: JSONValue] = [:]
        var entries: [JSONValue] = []
        for (index, entry) in tab.history.entries.enumerated() {
            let (value, ofTab) = self.entry(entry)
            entries.append(value)
            if index == tab.history.currentIndex {
                page = ofTab
            } else {
                losses.add(.pageStates, ofTab.isEmpty ? 0 : 1)
            }
        }
        members.merge(page) { _, page in page }
        members["entries"] = .array(entries)
        members["index"] = .integer(Int64(tab.history.currentIndex ?? -1) + 1)
        members["lastAccessed"] = .integer(metadata.lastActiveAt.milliseconds)
        if metadata.isPinned { members["pinned"] = .bool(true) }
        if !metadata.faviconURL.isEmpty { members["image"] = .string(metadata.faviconURL) }
        members["groupId"] = metadata.group.map { .string(FirefoxProperties.name(of: $0)) }
        return members
    }

    /// Returns an entry, and the values that the reader moved into the entry from its tab.
    private mutating func entry(_ entry: NavigationEntry) -> (
        JSONValue, ofTab: [String: JSONValue]
    ) {
        var members: [String: JSONValue] = [:]
        if !entry.pageState.isEmpty {
            let (state, failures) = JSONParser.parse(entry.pageState)
            if failures.isEmpty, let own = state?.object {
                members = own
            } else {
                losses.add(.pageStates)
            }
        }
        losses.add(.properties, entry.properties.count)
        let ofTab = members.removeValue(forKey: "tab")?.object ?? [:]
        members["url"] = .string(entry.url)
        members["title"] = .string(entry.title)
        if !entry.referrer.isEmpty { members["referrer"] = .string(entry.referrer) }
        if !entry.subframes.isEmpty {
            members["children"] = .array(entry.subframes.map { self.entry($0).0 })
        }
        return (.object(members), ofTab)
    }
}

extension Timestamp {
    /// The milliseconds since 1970, rounded toward zero; 0 if unknown.
    var milliseconds: Int64 { microseconds / 1000 }
}
