import BrowserDriving
import BrowserSessions

extension LiveBrowser {
    /// The windows as sessions, with groups for each run of neighbours in the same one.
    func sessions() -> [SessionSnapshot] {
        windows.enumerated().map { place, window in
            var session = SessionSnapshot(id: SessionID(window: .random()))
            var last: LiveGroup?
            for tab in window.tabs {
                if let group = tab.group, group != last {
                    session.nodes.append(.of(group))
                }
                last = tab.group
                let id = tab.group == nil ? nil : session.nodes.last?.id
                session.tabs.append(TabSnapshot(tab, in: id))
            }
            session.renumberPlaces()
            session.attributes.activeTab = session.tabs[window.active].metadata.id
            session.attributes.lastActiveAt = place == focused ? .now() : .unknown
            return session
        }
    }
}

extension TabSnapshot {
    fileprivate init(_ tab: LiveTab, in group: NodeID?) {
        let entries = tab.entries.map { NavigationEntry(url: $0.url, title: $0.title) }
        let shown = tab.entries[tab.index]
        var metadata = TabMetadata(
            id: .random(), place: .between(nil, and: nil), url: shown.url, title: shown.title,
            lastActiveAt: .now())
        metadata.isPinned = tab.isPinned
        metadata.group = group
        let history = NavigationHistory(entries: entries, currentIndex: tab.index)
        self.init(metadata: metadata, states: [.navigation: history.encoded()])
    }
}

extension StructureNode {
    fileprivate static func of(_ group: LiveGroup) -> StructureNode {
        let colors = (0...8).map { TabGroupColor(rawValue: $0) }
        let color = colors.first { $0.name == group.color } ?? .grey
        return .group(name: group.title, color: color, isCollapsed: group.isCollapsed)
    }
}
