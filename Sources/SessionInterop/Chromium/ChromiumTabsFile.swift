import BrowserSessions

/// The log of what was closed: windows with their tabs, groups with their tabs, and single tabs.
/// The one that was closed last is at the end.
struct ChromiumTabsFile {
    private(set) var log: ChromiumLog
    private let time: Timestamp

    /// The texts of tabs, with their commands.
    private static let ofTab: [String: UInt8] = ["extension-app-id": 6, "user-agent": 11]

    init(losses: ExportLosses, time: Timestamp) {
        log = ChromiumLog(losses: losses)
        self.time = time
    }

    mutating func finish() -> [UInt8] { log.finish() }

    /// Adds a closed window.
    mutating func addWindow(_ session: ExportedSession) {
        let id = log.nextID()
        let attributes = session.attributes
        let values = ChromiumProperties(attributes.properties)
        let closedAt = session.closedAt
        log.records.pickle(9) {
            $0.int(id)
            $0.int(Int32(clamping: session.activeIndex ?? 0))
            $0.int(Int32(clamping: session.tabs.count))
            $0.int64((closedAt == .unknown ? time : closedAt).windowsMicroseconds)
            for value in values.bounds ?? [0, 0, 0, 0] { $0.int(value) }
            $0.int(values.showState)
            $0.data([])
        }
        let name = values.text("app-name")
        if let name { log.add(7, name, of: id) }
        if !attributes.title.isEmpty { log.add(12, attributes.title, of: id, .windowTitles) }
        log.losses.countProperties(attributes.properties) {
            ($0 == "chromium.bounds" && values.bounds != nil)
                || ($0 == "chromium.app-name" && name != nil)
        }
        add(session.tabs, of: session)
    }

    /// Adds the tabs that were closed in an open window.
    mutating func addTabs(_ session: ExportedSession) {
        log.losses.countProperties(session.attributes.properties) { _ in false }
        log.losses.add(.windowTitles, session.attributes.title.isEmpty ? 0 : 1)
        add(session.tabs.inOrderOfClosing, of: session)
    }

    private mutating func add(_ tabs: [ExportedTab], of session: ExportedSession) {
        log.losses.add(.collapsedGroups, session.usedGroups.count(where: \.isCollapsed))
        let groups = Dictionary(
            session.groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for tab in tabs { add(tab, tab.metadata.group.flatMap { groups[$0] }) }
    }

    private mutating func add(_ tab: ExportedTab, _ group: StructureNode?) {
        let id = log.nextID()
        let current = Int32(clamping: tab.history.currentIndex ?? 0)
        let closedAt = tab.closedAt.windowsMicroseconds
        log.records.record(
            4, id.littleEndianBytes + current.littleEndianBytes + closedAt.littleEndianBytes)
        if tab.metadata.isPinned { log.records.record(5, [1]) }
        if let group { log.add(10, group) }
        log.add(Self.ofTab, of: id, tab.metadata.properties)
        log.add(1, tab.history, of: id)
    }
}
