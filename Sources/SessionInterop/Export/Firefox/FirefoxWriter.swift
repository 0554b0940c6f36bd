import BrowserSessions

/// Writes the `sessionstore` file of Firefox for desktop, as ``FirefoxDesktopReader`` reads it.
///
/// The smallest form that Firefox accepts is a list of windows with tabs that have entries; all
/// else is what this package's sessions have beyond that.
struct FirefoxWriter {
    let time: Timestamp

    func write(_ sessions: [ExportedSession], _ losses: inout ExportLosses) throws(StorageError)
        -> [ExportedFile]
    {
        let text = root(sessions, &losses).encoded()
        return [ExportedFile(path: "", bytes: try MozLZ4.fold(text))]
    }

    func root(_ sessions: [ExportedSession], _ losses: inout ExportLosses) -> JSONValue {
        let open = sessions.filter { $0.place == nil }
        let focused = open.focused
        let openWindows = Set(open.map(\.id.window))
        var closedTabs: [WindowID: [ExportedSession]] = [:]
        var closedWindows: [JSONValue] = []
        var savedGroups: [JSONValue] = []
        for session in sessions where session.place != nil {
            if session.attributes.properties[FirefoxProperties.savedGroups] == "true" {
                savedGroups += closedGroups(session, &losses)
            } else if session.place == .closedTabs, openWindows.contains(session.id.window) {
                closedTabs[session.id.window, default: []].append(session)
            } else {
                closedWindows.append(closedWindow(session, closedWindows.count, &losses))
            }
        }
        var windows: [[String: JSONValue]] = []
        for session in open {
            var window = window(session, &losses)
            let closed = closedTabs.removeValue(forKey: session.id.window) ?? []
            addClosed(closed, to: &window, &losses)
            windows.append(window)
        }
        // Firefox brings the window with the least number to the front, whichever is selected.
        if windows.contains(where: { $0["zIndex"] == nil }) {
            for index in windows.indices {
                windows[index]["zIndex"] = .integer(index == focused ? 1 : 2)
            }
        }
        let milliseconds = time.microseconds / 1000
        return .object([
            "version": .array([.string("sessionrestore"), .integer(1)]),
            "windows": .array(windows.map { .object($0) }),
            "selectedWindow": .integer(Int64(focused ?? -1) + 1),
            "_closedWindows": .array(closedWindows),
            "session": .object([
                "lastUpdate": .integer(milliseconds), "startTime": .integer(milliseconds),
                "recentCrashes": .integer(0), "state": .string("stopped"),
            ]),
            "savedGroups": .array(savedGroups), "global": .object([:]), "cookies": .array([]),
        ])
    }

    private func window(_ session: ExportedSession, _ losses: inout ExportLosses)
        -> [String: JSONValue]
    {
        let properties = session.attributes.properties
        losses.countProperties(properties) { $0.hasPrefix(FirefoxProperties.prefix) }
        var window = FirefoxProperties.members(properties)
        window["tabs"] = .array(session.tabs.map { tab($0, &losses) })
        window["selected"] = .integer(Int64(session.activeIndex ?? 0) + 1)
        window["groups"] = .array(
            session.usedGroups.map { .object(FirefoxProperties.members(of: $0)) })
        window["_closedTabs"] = .array([])
        return window
    }

    private func closedWindow(
        _ session: ExportedSession, _ number: Int, _ losses: inout ExportLosses
    ) -> JSONValue {
        var window = window(session, &losses)
        let active = session.activeIndex.map { session.tabs[$0] } ?? session.tabs.first
        let closedAt = max(session.attributes.lastActiveAt, active?.closedAt ?? .unknown)
        // As Firefox noted it, if it did.
        window["title"] = window["title"] ?? .string(active?.metadata.title ?? "")
        window["closedAt"] =
            window["closedAt"] ?? .integer((closedAt == .unknown ? time : closedAt).milliseconds)
        window["closedId"] = .integer(Int64(number))
        return .object(window)
    }

    /// The closed tabs of a window, the last one first, and those of closed groups.
    private func addClosed(
        _ sessions: [ExportedSession], to window: inout [String: JSONValue],
        _ losses: inout ExportLosses
    ) {
        var single: [ExportedTab] = []
        var groups: [JSONValue] = []
        for session in sessions {
            single += session.tabs.filter { $0.metadata.group == nil }
            groups += closedGroups(session, &losses)
        }
        if single.allSatisfy({ $0.closedAt != .unknown }) {
            single.sort { $0.closedAt > $1.closedAt }
        }
        window["_closedTabs"] = .array(
            single.enumerated().map { closed($1, number: $0, &losses) })
        window["closedGroups"] = .array(groups)
    }

    /// The groups of a session with their tabs, as closed or saved ones are written.
    private func closedGroups(_ session: ExportedSession, _ losses: inout ExportLosses)
        -> [JSONValue]
    {
        let members = Dictionary(grouping: session.tabs, by: \.metadata.group)
        var groups: [JSONValue] = []
        for group in session.attributes.groups {
            guard let tabs = members[group.id] else { continue }
            var object = FirefoxProperties.members(of: group)
            object["closedAt"] = .integer(
                tabs.map(\.closedAt).max()?.milliseconds ?? time.milliseconds)
            object["tabs"] = .array(tabs.enumerated().map { closed($1, number: $0, &losses) })
            groups.append(.object(object))
        }
        return groups
    }

    private func closed(_ tab: ExportedTab, number: Int, _ losses: inout ExportLosses) -> JSONValue
    {
        let icon = tab.metadata.faviconURL
        return .object([
            "state": self.tab(tab, &losses), "title": .string(tab.metadata.title),
            "image": icon.isEmpty ? .null : .string(icon),
            "pos": .integer(Int64(tab.metadata.properties["firefox.position"] ?? "") ?? 0),
            "closedAt": .integer(tab.closedAt.milliseconds),
            "closedId": .integer(Int64(number)),
        ])
    }
}

// MARK: - Tabs

extension FirefoxWriter {
    private func tab(_ tab: ExportedTab, _ losses: inout ExportLosses) -> JSONValue {
        let metadata = tab.metadata
        losses.countProperties(metadata.properties) { $0.hasPrefix(FirefoxProperties.prefix) }
        var members = FirefoxProperties.members(metadata.properties)
        var page: [String: JSONValue] = [:]
        var entries: [JSONValue] = []
        for (index, entry) in tab.history.entries.enumerated() {
            let (value, ofTab) = self.entry(entry, &losses)
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
        return .object(members)
    }

    /// An entry, and what the reader moved into it from the tab.
    private func entry(_ entry: NavigationEntry, _ losses: inout ExportLosses) -> (
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
            members["children"] = .array(entry.subframes.map { self.entry($0, &losses).0 })
        }
        return (.object(members), ofTab)
    }
}

extension Timestamp {
    /// Since 1970, rounded down; 0 for unknown.
    var milliseconds: Int64 { microseconds / 1000 }
}
