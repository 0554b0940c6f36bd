import BrowserSessions

/// What both logs of Chromium are made of.
struct ChromiumLog {
    var losses: ExportLosses
    var records = SNSSRecords()
    private var lastID: Int32 = 0

    init(losses: ExportLosses) { self.losses = losses }

    /// The whole log.
    mutating func finish() -> [UInt8] {
        records.mark()
        return records.bytes
    }

    /// Windows and tabs have numbers of one row.
    mutating func nextID() -> Int32 {
        lastID += 1
        return lastID
    }

    /// Adds a text of a window or tab; `part` is counted if it is cut.
    ///
    /// - Parameter flag: What stands behind it in the records that have more.
    mutating func add(
        _ command: UInt8, _ text: String, of id: Int32, _ part: SessionPart = .properties,
        flag: Bool? = nil
    ) {
        if text.utf8.count > SNSSRecords.longestText { losses.add(part) }
        records.pickle(command) {
            $0.int(id)
            $0.string(text, atMost: SNSSRecords.longestText)
            if let flag { $0.bool(flag) }
        }
    }

    /// Adds what a group is called; `isCollapsed` for records that say it.
    mutating func add(_ command: UInt8, _ group: TabGroup, isCollapsed: Bool? = nil) {
        if group.title.utf16.count > SNSSRecords.longestText { losses.add(.groupTitles) }
        records.pickle(command) {
            $0.token(group.id)
            $0.string16(group.title, atMost: SNSSRecords.longestText)
            $0.int(group.color.name == nil ? 0 : group.color.rawValue)
            if let isCollapsed { $0.bool(isCollapsed) }
        }
    }

    /// Adds the history of a tab. Chromium has no tab without an entry: one that never had an address
    /// shows the blank page.
    mutating func add(_ command: UInt8, _ history: NavigationHistory, of tab: Int32) {
        let blank = [NavigationEntry(url: "about:blank")]
        for (index, entry) in (history.entries.isEmpty ? blank : history.entries).enumerated() {
            ChromiumNavigation(entry: entry)
                .write(command, tab: tab, index: index, to: &records, &losses)
        }
    }

    /// Adds the texts of a tab that Chromium itself wrote, as the commands of a log have them.
    mutating func add(
        _ texts: [String: UInt8], of tab: Int32, _ properties: [String: String]
    ) {
        let values = ChromiumProperties(properties)
        for (name, command) in texts.sorted(by: { $0.value < $1.value }) {
            guard let text = values.text(name) else { continue }
            // The record of a user agent has a flag behind the text, and ends the reading without.
            add(command, text, of: tab, flag: name == "user-agent" ? false : nil)
        }
        losses.countProperties(properties) { values.isWritten($0, texts) }
    }
}

/// Chromium's own values, which the reader keeps as properties. Chromium stops reading a log at a
/// record that it does not take, so what is not as it has it is left out.
struct ChromiumProperties {
    private static let prefix = "chromium."
    private let properties: [String: String]

    init(_ properties: [String: String]) { self.properties = properties }

    func number(_ name: String) -> Int32? {
        properties[Self.prefix + name].flatMap { Int32($0) }
    }

    /// A text that Chromium takes; an identifier of a tab has to be one.
    func text(_ name: String) -> String? {
        guard let text = properties[Self.prefix + name], !text.isEmpty else { return nil }
        return name == "guid" && TabID(text) == nil ? nil : text
    }

    /// Left, top, width and height; `nil` if they are not four numbers.
    var bounds: [Int32]? {
        let parts = (properties["chromium.bounds"] ?? "").split(separator: ",").map { Int32($0) }
        let numbers = parts.compactMap { $0 }
        return numbers.count == 4 && parts.count == 4 ? numbers : nil
    }

    /// Normal, minimized, maximized, fullscreen or one of later versions; normal if there is none.
    var showState: Int32 {
        let state = number("show-state") ?? 1
        return Self.showStates.contains(state) ? state : 1
    }

    private static let showStates: Set<Int32> = [1, 2, 3, 5, 6, 7]

    /// Whether a property of that name is in a log that has these texts.
    func isWritten(_ name: String, _ texts: [String: UInt8]) -> Bool {
        guard name.hasPrefix(Self.prefix) else { return false }
        let own = String(name.dropFirst(Self.prefix.count))
        return texts[own] != nil && text(own) != nil
    }
}
