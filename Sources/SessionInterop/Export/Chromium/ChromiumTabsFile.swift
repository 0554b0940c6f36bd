import BrowserSessions

/// The log of what was closed: windows with their tabs, groups with theirs, and single tabs, the
/// last one at the end.
struct ChromiumTabsFile {
    private(set) var losses: ExportLosses
    private let time: Timestamp
    private var log = SNSSRecords()
    private var lastID: Int32 = 0

    init(losses: ExportLosses, time: Timestamp) {
        self.losses = losses
        self.time = time
    }

    mutating func finish() -> [UInt8] {
        log.mark()
        return log.bytes
    }

    /// Adds a closed window, or the tabs that were closed in one that is open.
    mutating func add(_ session: ExportedSession, asWindow: Bool) {
        let properties = session.attributes.properties
        losses.countProperties(properties, except: "chromium.")
        var tabs = session.tabs
        if asWindow {
            addWindow(session)
        } else if tabs.allSatisfy({ $0.closedAt != .unknown }) {
            tabs.sort { $0.closedAt < $1.closedAt }
        }
        let groups = Dictionary(
            session.attributes.groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for tab in tabs { add(tab, tab.metadata.group.flatMap { groups[$0] }) }
    }

    private mutating func nextID() -> Int32 {
        lastID += 1
        return lastID
    }

    private mutating func addWindow(_ session: ExportedSession) {
        let id = nextID()
        let bounds = ChromiumProperties.bounds(in: session.attributes.properties)
        let closedAt = session.attributes.lastActiveAt
        log.pickle(9) {
            $0.int(id)
            $0.int(Int32(clamping: session.activeIndex ?? 0))
            $0.int(Int32(clamping: session.tabs.count))
            $0.int64((closedAt == .unknown ? time : closedAt).windowsMicroseconds)
            for value in bounds ?? [0, 0, 0, 0] { $0.int(value) }
            $0.int(1)
            $0.data([])
        }
        let texts: [UInt8: String?] = [
            7: session.attributes.properties["chromium.app-name"],
            12: session.attributes.title,
        ]
        for (command, text) in texts.sorted(by: { $0.key < $1.key }) {
            guard let text, !text.isEmpty else { continue }
            log.pickle(command) {
                $0.int(id)
                $0.string(text, atMost: SNSSRecords.longestText)
            }
        }
    }

    private mutating func add(_ tab: ExportedTab, _ group: TabGroup?) {
        let id = nextID()
        losses.countProperties(tab.metadata.properties, except: "chromium.")
        let current = Int32(clamping: tab.history.currentIndex ?? 0)
        let closedAt = tab.closedAt.windowsMicroseconds
        log.record(
            4, id.littleEndianBytes + current.littleEndianBytes + closedAt.littleEndianBytes)
        if tab.metadata.isPinned { log.record(5, [1]) }
        if let group {
            log.pickle(10) {
                $0.token(group.id)
                $0.string16(group.title, atMost: SNSSRecords.longestText)
                $0.int(group.color.name == nil ? 0 : group.color.rawValue)
            }
        }
        for (index, entry) in tab.history.entriesOrBlank.enumerated() {
            let navigation = ChromiumNavigation(entry: entry)
            if !navigation.write(1, tab: id, index: index, to: &log, &losses) {
                losses.add(.histories)
            }
        }
    }
}
