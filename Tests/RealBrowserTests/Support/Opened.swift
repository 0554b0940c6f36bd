import BrowserDriving
import BrowserSessions
import SessionInterop

extension LiveBrowser {
    /// The open windows of an import, as a browser would tell them.
    init(_ sessions: [SessionSnapshot]) throws {
        let open = sessions.filter { $0.id.kind == .regular && $0.attributes.closedAt == nil }
        let focused = open.firstIndex {
            $0.attributes.properties["firefox.is-selected-window"] == "true"
                || $0.attributes.properties["chromium.is-active"] == "true"
        }
        self.init(windows: try open.map { try LiveWindow($0) }, focused: focused ?? 0)
    }
}

extension LiveWindow {
    fileprivate init(_ session: SessionSnapshot) throws {
        let groups = Dictionary(
            session.nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let tabs = try session.tabs.map { tab in
            let history = try NavigationHistory(encoded: tab.states[.navigation] ?? [])
            let group = tab.metadata.group.flatMap { groups[$0] }
            return LiveTab(
                entries: history.entries.map { LiveEntry(url: $0.url, title: $0.title) },
                index: history.currentIndex ?? -1, isPinned: tab.metadata.isPinned,
                group: group.map {
                    LiveGroup(
                        title: $0.name, color: $0.color.name ?? "", isCollapsed: $0.isCollapsed)
                })
        }
        let active = session.tabs.firstIndex { $0.metadata.id == session.attributes.activeTab }
        self.init(tabs: tabs, active: active ?? -1)
    }
}
