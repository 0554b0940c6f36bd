import BrowserSessions

/// A log of open windows, or of what was closed.
struct ChromiumLog {
    var losses: ExportLosses
    var records = SNSSRecords()
    /// The identifiers of tabs that were written. Two tabs never have the same.
    var marks: Set<String> = []
    private var lastID: Int32 = 0

    init(losses: ExportLosses) { self.losses = losses }

    /// Returns the whole log.
    mutating func finish() -> [UInt8] {
        records.mark()
        return records.bytes
    }

    /// Returns the next ID. Windows and tabs share one sequence of numbers.
    mutating func nextID() -> Int32 {
        lastID += 1
        return lastID
    }

    /// Adds a text of a window or tab. If the text is cut, counts `part`.
    ///
    /// - Parameter flag: The flag after the text, in records that have one.
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

    /// Adds the name of a group, and `isCollapsed` in records that have it.
    ///
    /// The identifier of a saved group, which may follow, is never written: the saved groups are in another
    /// file of the profile, and a browser closes the tabs of one that it does not know (Chromium 156).
    mutating func add(_ command: UInt8, _ group: StructureNode, isCollapsed: Bool? = nil) {
        if group.name.utf16.count > SNSSRecords.longestText { losses.add(.groupTitles) }
        records.pickle(command) {
            $0.token(group.id)
            $0.string16(group.name, atMost: SNSSRecords.longestText)
            $0.int(group.color.name == nil ? 0 : group.color.rawValue)
            if let isCollapsed { $0.bool(isCollapsed) }
        }
    }

    /// Adds the history of a tab. Chromium has no tab without an entry, so a tab that never had an
    /// address shows a blank page.
    mutating func add(_ command: UInt8, _ history: NavigationHistory, of tab: Int32) {
        let blank = [NavigationEntry(url: "about:blank")]
        for (index, entry) in (history.entries.isEmpty ? blank : history.entries).enumerated() {
            ChromiumNavigation(entry: entry)
                .write(command, tab: tab, index: index, to: &records, &losses)
        }
    }

    /// Adds the texts of a tab that Chromium itself wrote, with the commands of a log.
    mutating func add(_ texts: [String: UInt8], of tab: Int32, _ properties: [String: String]) {
        let values = ChromiumProperties(properties)
        for (name, command) in texts.sorted(by: { $0.value < $1.value }) {
            guard let text = values.text(name) else { continue }
            // The record of a user agent needs a flag after the text, or Chromium stops reading.
            add(command, text, of: tab, flag: name == "user-agent" ? false : nil)
        }
        losses.countProperties(properties) { values.isWritten($0, texts) }
    }
}

/// Chromium's own values, which the reader keeps as properties. Chromium stops reading a log at a
/// record that it does not accept, so values in another form are left out.
struct ChromiumProperties {
    private static let prefix = "chromium."
    private let properties: [String: String]

    init(_ properties: [String: String]) { self.properties = properties }

    func number(_ name: String) -> Int32? {
        properties[Self.prefix + name].flatMap { Int32($0) }
    }

    /// Returns a text that Chromium accepts; `nil` if there is none. A tab's ID must be valid.
    func text(_ name: String) -> String? {
        guard let text = properties[Self.prefix + name], !text.isEmpty else { return nil }
        return name == "guid" && TabID(text) == nil ? nil : text
    }

    /// The left edge, top edge, width and height; `nil` if they are not four numbers.
    var bounds: [Int32]? {
        let parts = (properties["chromium.bounds"] ?? "").split(separator: ",").map { Int32($0) }
        let numbers = parts.compactMap { $0 }
        return numbers.count == 4 && parts.count == 4 ? numbers : nil
    }

    /// The show state as Chromium numbers it; normal (1) if it is absent or not accepted.
    var showState: Int32 {
        let state = number("show-state") ?? 1
        return Self.showStates.contains(state) ? state : 1
    }

    private static let showStates: Set<Int32> = [1, 2, 3, 5, 6, 7]

    /// Returns whether a log with these texts holds a property of that name.
    func isWritten(_ name: String, _ texts: [String: UInt8]) -> Bool {
        guard name.hasPrefix(Self.prefix) else { return false }
        let own = String(name.dropFirst(Self.prefix.count))
        return texts[own] != nil && text(own) != nil
    }
}
