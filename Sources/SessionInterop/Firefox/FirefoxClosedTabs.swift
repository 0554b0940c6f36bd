import BrowserSessions

/// Closed tabs by their location in Firefox: in an open or closed window, alone or in a group that
/// was closed with them, or in a group that the user saved.
struct FirefoxClosedTabs {
    struct Group {
        var group: StructureNode
        var tabs: [ExportedTab]
    }

    struct OfWindow {
        /// The single tabs. The one that was closed last comes first.
        var single: [ExportedTab] = []
        var groups: [Group] = []
    }

    private(set) var savedGroups: [Group] = []
    /// The sessions of tabs without a window, which become closed windows.
    private(set) var unplaced: [ExportedSession] = []
    private var byWindow: [WindowID: OfWindow] = [:]

    /// Assigns each tab to a window.
    ///
    /// - Parameter openGroups: The groups with open tabs. A tab that was closed alone belongs to
    ///   its group, and no group is both open and closed.
    /// - Parameter home: The window of tabs that were in no known one.
    init(
        _ sessions: [ExportedSession], openGroups: Set<NodeID>, in windows: [WindowID],
        default home: WindowID?
    ) {
        guard let home = home ?? windows.first else {
            unplaced = sessions
            return
        }
        let known = Set(windows)
        var seen: Set<NodeID> = []
        for session in sessions {
            func window(of tab: ExportedTab) -> WindowID {
                let former = tab.metadata.closedFrom.flatMap { SessionID($0.session) }
                let window = former?.window ?? session.id.window
                return known.contains(window) ? window : home
            }
            let isSaved = session.attributes.properties[FirefoxProperties.savedGroups] == "true"
            let groups = session.usedGroups.filter { !openGroups.contains($0.id) }
            let ids = Set(groups.map(\.id))
            var members: [NodeID: [ExportedTab]] = [:]
            for tab in session.tabs {
                if let group = tab.metadata.group, ids.contains(group), !seen.contains(group) {
                    members[group, default: []].append(tab)
                } else {
                    byWindow[window(of: tab), default: OfWindow()].single.append(tab)
                }
            }
            for group in groups {
                guard let tabs = members[group.id] else { continue }
                seen.insert(group.id)
                let closed = Group(group: group, tabs: tabs)
                if isSaved {
                    savedGroups.append(closed)
                } else {
                    byWindow[window(of: tabs[0]), default: OfWindow()].groups.append(closed)
                }
            }
        }
    }

    /// Returns and removes the closed tabs of a window.
    mutating func take(_ window: WindowID) -> OfWindow {
        var closed = byWindow.removeValue(forKey: window) ?? OfWindow()
        closed.single = closed.single.inOrderOfClosing.reversed()
        return closed
    }
}

extension [ExportedTab] {
    /// The tabs in the order in which they were closed if all have a time, otherwise unchanged.
    var inOrderOfClosing: [ExportedTab] {
        guard allSatisfy({ $0.closedAt != .unknown }) else { return self }
        return enumerated().sorted {
            ($0.element.closedAt, $0.offset) < ($1.element.closedAt, $1.offset)
        }.map(\.element)
    }
}

extension ExportedSession {
    /// The time at which the window was closed, or at which a session that is not open was last used.
    var closedAt: Timestamp {
        if let closedAt = attributes.closedAt, closedAt != .unknown { return closedAt }
        let active = activeIndex.map { tabs[$0] } ?? tabs.first
        return max(attributes.lastActiveAt, active?.closedAt ?? .unknown)
    }
}

extension [ExportedSession] {
    /// The closed windows, with the one that was closed last first, followed by all others.
    var lastClosedFirst: [ExportedSession] {
        let closed = enumerated().filter { $0.element.attributes.closedAt != nil }.sorted {
            ($1.element.closedAt, $0.offset) < ($0.element.closedAt, $1.offset)
        }
        return closed.map(\.element) + filter { $0.attributes.closedAt == nil }
    }
}
