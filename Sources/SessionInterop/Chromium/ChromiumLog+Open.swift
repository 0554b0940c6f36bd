import BrowserSessions

/// The log of open windows.
extension ChromiumLog {
    /// The texts of windows and tabs, with their commands.
    private static let ofWindow: [String: UInt8] = ["app-name": 15, "workspace": 23]
    private static let ofOpenTab: [String: UInt8] = [
        "extension-app-id": 13, "session-storage-id": 19, "guid": 28, "user-agent": 29,
    ]

    mutating func addOpen(_ sessions: [ExportedSession]) {
        let focused = sessions.focused
        for (index, session) in sessions.enumerated() {
            let window = add(session)
            if index == focused { records.numbers(20, window) }
        }
    }

    private mutating func add(_ session: ExportedSession) -> Int32 {
        let window = nextID()
        addProperties(session.attributes.properties, tabs: session.tabs.count, of: window)
        if !session.attributes.title.isEmpty {
            add(31, session.attributes.title, of: window, .windowTitles)
        }
        for (index, tab) in session.tabs.enumerated() { add(tab, at: index, in: window) }
        for group in session.usedGroups { add(27, group, isCollapsed: group.isCollapsed) }
        records.numbers(8, window, Int32(clamping: session.activeIndex ?? 0))
        return window
    }

    /// - Parameter tabs: The number of tabs in the window. Windows of apps and popups show only one
    ///   tab, so any others would be out of reach.
    private mutating func addProperties(
        _ all: [String: String], tabs: Int, of window: Int32
    ) {
        var properties = all
        if tabs > 1, ChromiumProperties(all).number("window-type") ?? 0 != 0 {
            for name in ["chromium.window-type", "chromium.app-name"] {
                properties[name] = nil
                losses.add(.properties, all[name] == nil ? 0 : 1)
            }
        }
        let values = ChromiumProperties(properties)
        records.numbers(9, window, values.number("window-type") ?? 0)
        var written: Set<String> = ["chromium.window-type"]
        if let bounds = values.bounds {
            records.numbers(
                14, window, bounds[0], bounds[1], bounds[2], bounds[3], values.showState)
            written.insert("chromium.bounds")
            if values.number("show-state") == values.showState {
                written.insert("chromium.show-state")
            }
        }
        for (name, command) in Self.ofWindow.sorted(by: { $0.value < $1.value }) {
            if let text = values.text(name) { add(command, text, of: window) }
        }
        if properties["chromium.on-all-workspaces"] == "true" {
            records.numbers(32, window, 1)
            written.insert("chromium.on-all-workspaces")
        }
        losses.countProperties(properties) {
            written.contains($0) || values.isWritten($0, Self.ofWindow)
        }
    }

    private mutating func add(_ tab: ExportedTab, at index: Int, in window: Int32) {
        let id = nextID()
        let metadata = tab.metadata
        records.numbers(0, window, id)
        records.numbers(2, id, Int32(clamping: index))
        if metadata.isPinned { records.numbers(12, id, 1) }
        if let group = metadata.group {
            records.wide(
                25, id, Int64(bitPattern: group.high), Int64(bitPattern: group.low), 1)
        }
        var properties = metadata.properties
        // Two tabs never have the same value, even if one was copied from the other.
        for name in ["chromium.guid", "chromium.session-storage-id"] {
            guard let text = properties[name], !marks.insert(name + text).inserted else { continue }
            properties[name] = nil
            losses.add(.properties)
        }
        add(Self.ofOpenTab, of: id, properties)
        add(6, tab.history, of: id)
        records.numbers(7, id, Int32(clamping: tab.history.currentIndex ?? 0))
        records.wide(21, id, metadata.lastActiveAt.windowsMicroseconds)
    }
}
