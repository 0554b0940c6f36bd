import BrowserSessions

/// A builder of sessions from lists: windows by their headings, groups in them, and tabs.
struct ListedSessions {
    private let identity: SourceIdentity
    var reading: SourceReading
    private var windows: [String: WindowID] = [:]
    private var known: Set<SessionID> = []
    /// The windows and groups of a table.
    private var files: [String: Int] = [:]
    private var sections: Set<NodeID> = []
    /// The window that gets the next tab.
    private var current = 0
    private var group: NodeID?
    private var isInWindow = false
    private var groupCount = 0

    init(_ identity: SourceIdentity, _ limits: ImportLimits) {
        self.identity = identity
        reading = SourceReading(limits: limits)
    }

    /// Begins a session with a heading of a list of this package, or with any other text.
    mutating func window(_ heading: String) {
        let shown = Shown.Heading(heading)
        var window =
            windows[shown.name] ?? identity.identifier("window", windows.isEmpty ? "" : heading)
        if known.contains(SessionID(window: window, kind: shown.kind)) {
            window = identity.identifier("window", heading, String(known.count))
        }
        begin(shown, window)
    }

    private mutating func begin(_ shown: Shown.Heading, _ window: WindowID) {
        let id = SessionID(window: window, kind: shown.kind)
        (windows[shown.name], group, isInWindow) = (window, nil, true)
        known.insert(id)
        var draft = SessionDraft(id: id, location: "window \(reading.drafts.count)")
        draft.attributes.title = shown.title
        if shown.isClosed { draft.attributes.closedAt = .unknown }
        current = reading.drafts.count
        reading.drafts.append(draft)
    }

    /// Continues the window of a file and the group of a section in it; an empty section is none.
    mutating func row(file: String, section: String) {
        if let index = files[file] {
            current = index
        } else {
            begin(Shown.Heading(title: file), identity.identifier("window", file))
            files[file] = current
        }
        group = section.isEmpty ? nil : identity.identifier("group", file, section)
        guard let group, sections.insert(group).inserted else { return }
        let color = TabGroupColor(rawValue: Int32(reading.drafts[current].nodes.count % 9))
        reading.drafts[current].nodes.append(.group(id: group, name: section, color: color))
    }

    /// Begins a group of the window. `nil` ends the current group.
    mutating func group(_ title: String?) {
        group = nil
        guard let title else { return }
        if !isInWindow { window("") }
        let id: NodeID = identity.identifier("group", String(groupCount))
        let color = TabGroupColor(rawValue: Int32(groupCount % 9))
        groupCount += 1
        let shown = title == Shown.unnamedGroup ? "" : title
        reading.drafts[current].nodes.append(.group(id: id, name: shown, color: color))
        group = id
    }

    mutating func tab(
        _ url: String, _ title: String, at location: String,
        _ change: (inout TabMetadata) -> Void = { _ in }
    ) {
        guard let number = reading.nextTab(at: location) else { return }
        if !isInWindow { window("") }
        var tab = TabDraft(id: identity.identifier("tab", String(number)), location: location)
        tab.history = NavigationHistory(url: url, title: title)
        tab.adoptHistory()
        tab.metadata.group = group
        change(&tab.metadata)
        if tab.metadata.isPinned { tab.metadata.group = nil }
        reading.drafts[current].tabs.append(tab)
    }

    /// Makes the last tab active.
    mutating func activate() {
        guard reading.drafts.indices.contains(current) else { return }
        reading.drafts[current].attributes.activeTab =
            reading.drafts[current].tabs.last?.metadata.id
    }

    /// Returns the reading without windows and groups that have no tabs.
    mutating func finish() -> SourceReading {
        reading.drafts.removeAll { $0.tabs.isEmpty }
        for index in reading.drafts.indices {
            let used = Set(reading.drafts[index].tabs.compactMap(\.metadata.group))
            reading.drafts[index].nodes.removeAll { !used.contains($0.id) }
        }
        return reading
    }
}

extension Shown {
    /// The content of a heading, the inverse of `heading(_:_:number:)`.
    struct Heading {
        /// The window's name in the list.
        var name: String
        /// The title of the window; empty for a window with a number.
        var title: String
        var kind = SessionKind.regular
        var isClosed = false

        /// The content of a heading that is nothing but a title.
        init(title: String) { (name, self.title) = (title, title) }

        init(_ text: String) {
            (name, title) = (text, text)
            if let (name, words) = Self.parts(text) {
                self.name = name
                for word in words {
                    if word == closedWindow {
                        isClosed = true
                    } else {
                        kind = kinds.first { $0.value == word }?.key ?? kind.inIncognito
                    }
                }
            }
            let number = name.hasPrefix(window + " ") ? name.dropFirst(window.count + 1) : ""
            let isNumber = !number.isEmpty && number.allSatisfy(\.isNumber)
            title = isNumber || name == closedTabs ? "" : name
        }

        /// Returns the name and the words after it; `nil` unless all words are known.
        private static func parts(_ text: String) -> (String, [String])? {
            let mark = Array(" – ")
            let all = Array(text)
            guard all.count > 3,
                let place = (0...(all.count - 3)).last(where: { Array(all[$0..<$0 + 3]) == mark })
            else { return nil }
            let words = String(all[(place + 3)...]).split(separator: ",").map { String($0).trimmed }
            let known = Set(kinds.values).union([closedWindow, incognito])
            return !words.isEmpty && words.allSatisfy(known.contains)
                ? (String(all[..<place]), words) : nil
        }
    }
}
