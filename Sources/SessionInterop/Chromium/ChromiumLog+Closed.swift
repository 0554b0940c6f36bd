import BrowserSessions

/// The log of what was closed: windows with their tabs, groups with their tabs, and single tabs.
/// The one that was closed last is at the end.
extension ChromiumLog {
    /// The texts of tabs, with their commands.
    private static let ofClosedTab: [String: UInt8] = ["extension-app-id": 6, "user-agent": 11]

    /// Adds a closed window. If it is unknown when it was closed, that is the given time.
    mutating func addWindow(_ session: ExportedSession, at time: Timestamp) {
        let id = nextID()
        let attributes = session.attributes
        let values = ChromiumProperties(attributes.properties)
        let closedAt = session.closedAt
        records.pickle(9) {
            $0.int(id)
            $0.int(Int32(clamping: session.activeIndex ?? 0))
            $0.int(Int32(clamping: session.tabs.count))
            $0.int64((closedAt == .unknown ? time : closedAt).windowsMicroseconds)
            for value in values.bounds ?? [0, 0, 0, 0] { $0.int(value) }
            $0.int(values.showState)
            $0.data([])
        }
        let name = values.text("app-name")
        if let name { add(7, name, of: id) }
        if !attributes.title.isEmpty { add(12, attributes.title, of: id, .windowTitles) }
        losses.countProperties(attributes.properties) {
            ($0 == "chromium.bounds" && values.bounds != nil)
                || ($0 == "chromium.app-name" && name != nil)
        }
        add(session.tabs, of: session)
    }

    /// Adds the tabs that were closed in an open window.
    mutating func addTabs(_ session: ExportedSession) {
        losses.countProperties(session.attributes.properties) { _ in false }
        losses.add(.windowTitles, session.attributes.title.isEmpty ? 0 : 1)
        add(session.tabs.inOrderOfClosing, of: session)
    }

    private mutating func add(_ tabs: [ExportedTab], of session: ExportedSession) {
        losses.add(.collapsedGroups, session.usedGroups.count(where: \.isCollapsed))
        let groups = Dictionary(firstOf: session.groups.map { ($0.id, $0) })
        for tab in tabs { add(tab, tab.metadata.group.flatMap { groups[$0] }) }
    }

    private mutating func add(_ tab: ExportedTab, _ group: StructureNode?) {
        let id = nextID()
        let current = Int32(clamping: tab.history.currentIndex ?? 0)
        let closedAt = tab.closedAt.windowsMicroseconds
        records.record(
            4, id.littleEndianBytes + current.littleEndianBytes + closedAt.littleEndianBytes)
        if tab.metadata.isPinned { records.record(5, [1]) }
        if let group { add(10, group) }
        add(Self.ofClosedTab, of: id, tab.metadata.properties)
        add(1, tab.history, of: id)
    }
}
