import BrowserSessions

/// Writes the folder `Sessions` of Chromium for desktop, as ``SNSSReader`` reads it: a `Session`
/// file of the open windows, and a `Tabs` file of what can be reopened.
struct ChromiumWriter {
    let time: Timestamp

    func write(_ sessions: [ExportedSession], _ losses: inout ExportLosses) throws(StorageError)
        -> [ExportedFile]
    {
        let stamp = String(time.windowsMicroseconds)
        var open = sessions.filter { $0.place == nil }
        losses.add(.emptyWindows, open.count(where: \.tabs.isEmpty))
        open.removeAll(where: \.tabs.isEmpty)
        var session = ChromiumSessionFile(losses: losses)
        session.add(open)
        var files = [ExportedFile(path: "Session_" + stamp, bytes: session.finish())]
        losses = session.losses
        let closed = sessions.filter { $0.place != nil && !$0.tabs.isEmpty }
        guard !closed.isEmpty else { return files }
        var tabs = ChromiumTabsFile(losses: losses, time: time)
        // The last one is offered first.
        let singles = Set(open.map(\.id.window))
        for session in closed where session.place != .closedTabs {
            tabs.add(session, asWindow: true)
        }
        for session in closed where session.place == .closedTabs {
            tabs.add(session, asWindow: !singles.contains(session.id.window))
        }
        files.append(ExportedFile(path: "Tabs_" + stamp, bytes: tabs.finish()))
        losses = tabs.losses
        return files
    }
}

/// The log of open windows.
struct ChromiumSessionFile {
    private(set) var losses: ExportLosses
    private var log = SNSSRecords()
    private var lastID: Int32 = 0

    init(losses: ExportLosses) { self.losses = losses }

    mutating func finish() -> [UInt8] {
        log.mark()
        return log.bytes
    }

    mutating func add(_ sessions: [ExportedSession]) {
        let focused = sessions.focused
        for (index, session) in sessions.enumerated() {
            let window = add(session)
            if index == focused { log.numbers(20, window) }
        }
    }

    private mutating func nextID() -> Int32 {
        lastID += 1
        return lastID
    }

    private mutating func add(_ session: ExportedSession) -> Int32 {
        let window = nextID()
        let properties = session.attributes.properties
        losses.countProperties(properties, except: "chromium.")
        log.numbers(9, window, ChromiumProperties.number("window-type", in: properties) ?? 0)
        if let bounds = ChromiumProperties.bounds(in: properties) {
            let state = ChromiumProperties.number("show-state", in: properties) ?? 1
            log.numbers(14, window, bounds[0], bounds[1], bounds[2], bounds[3], state)
        }
        addTexts(ChromiumProperties.ofWindow, properties, for: window)
        if !session.attributes.title.isEmpty {
            addText(31, session.attributes.title, for: window)
        }
        for (index, tab) in session.tabs.enumerated() { add(tab, at: index, in: window) }
        for group in session.usedGroups {
            log.pickle(27) {
                $0.token(group.id)
                $0.string16(group.title, atMost: SNSSRecords.longestText)
                $0.int(group.color.name == nil ? 0 : group.color.rawValue)
                $0.bool(group.isCollapsed)
            }
        }
        log.numbers(8, window, Int32(clamping: session.activeIndex ?? 0))
        return window
    }

    private mutating func add(_ tab: ExportedTab, at index: Int, in window: Int32) {
        let id = nextID()
        let metadata = tab.metadata
        losses.countProperties(metadata.properties, except: "chromium.")
        log.numbers(0, window, id)
        log.numbers(2, id, Int32(clamping: index))
        if metadata.isPinned { log.numbers(12, id, 1) }
        if let group = metadata.group {
            log.wide(
                25, id, Int64(bitPattern: group.high), Int64(bitPattern: group.low), 1)
        }
        addTexts(ChromiumProperties.ofTab, metadata.properties, for: id)
        var current = 0
        var written = 0
        for (number, entry) in tab.history.entriesOrBlank.enumerated() {
            let navigation = ChromiumNavigation(entry: entry)
            guard navigation.write(6, tab: id, index: written, to: &log, &losses) else {
                losses.add(.histories)
                continue
            }
            if number <= tab.history.currentIndex ?? 0 { current = written }
            written += 1
        }
        if written == 0 { losses.add(.tabs) }
        log.numbers(7, id, Int32(clamping: current))
        log.wide(21, id, metadata.lastActiveAt.windowsMicroseconds)
    }

    private mutating func addTexts(
        _ commands: [String: UInt8], _ properties: [String: String], for id: Int32
    ) {
        for (name, command) in commands.sorted(by: { $0.value < $1.value }) {
            if let text = properties["chromium." + name] { addText(command, text, for: id) }
        }
    }

    private mutating func addText(_ command: UInt8, _ text: String, for id: Int32) {
        log.pickle(command) {
            $0.int(id)
            $0.string(text, atMost: SNSSRecords.longestText)
        }
    }
}

extension NavigationHistory {
    /// Chromium has no tab without an entry: one that never had an address shows the blank page.
    var entriesOrBlank: [NavigationEntry] {
        entries.isEmpty ? [NavigationEntry(url: "about:blank")] : entries
    }
}

/// Chromium's own values, which the reader keeps as properties.
enum ChromiumProperties {
    /// The texts of windows and their commands in a `Session` file.
    static let ofWindow: [String: UInt8] = ["app-name": 15, "workspace": 23]
    /// The texts of tabs.
    static let ofTab: [String: UInt8] = [
        "extension-app-id": 13, "session-storage-id": 19, "guid": 28, "user-agent": 29,
    ]

    static func number(_ name: String, in properties: [String: String]) -> Int32? {
        properties["chromium." + name].flatMap { Int32($0) }
    }

    /// Left, top, width and height; `nil` if they are not four numbers.
    static func bounds(in properties: [String: String]) -> [Int32]? {
        let parts = (properties["chromium.bounds"] ?? "").split(separator: ",").map { Int32($0) }
        let numbers = parts.compactMap { $0 }
        return numbers.count == 4 && parts.count == 4 ? numbers : nil
    }
}
