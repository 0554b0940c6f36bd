import BrowserSessions

extension SessionFormat {
    /// The page for people that ``ExportFormat/html`` creates.
    public static let page = SessionFormat("html", PageReader.self, writer: .html)
}

extension ExportFormat {
    /// One self-contained page for people to search, sort and print. It fetches nothing.
    public static let html = ExportFormat(
        "html", for: .people, HTMLPage.self, fileName: "sessions.html",
        holds: [
            .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories, .entryTimes,
            .creationTimes, .lastUseTimes, .windowTitles, .closedWindows, .closedTabs,
            .inactiveTabs, .setAsideTabs, .incognitoTabs,
        ])
}

/// A reader of the page that ``HTMLPage`` writes. It reads the page's blocks of JSON.
struct PageReader: FileReader {
    /// The beginning of the first block.
    private static let block = Array("data-part=\"page\"".utf8)

    static let beginnings = [Array("<".utf8)]

    static func recognizes(_ head: SourceHead) -> Bool {
        head.start.first == UInt8(ascii: "<") && head.text.firstRange(of: block) != nil
    }

    private let identity: SourceIdentity
    private let limits: ImportLimits
    private var reading: SourceReading
    private var windows: [Int64: WindowID] = [:]
    private var groups: [NodeID] = []
    /// The tabs of the last block.
    private var block = 0..<0

    static func read(_ file: [UInt8], name: String, limits: ImportLimits) -> SourceReading {
        var reader = Self(
            identity: SourceIdentity(.page, content: file), limits: limits,
            reading: SourceReading(limits: limits))
        reader.read(file)
        return reader.reading
    }

    private mutating func read(_ bytes: [UInt8]) {
        var scanner = MarkupScanner(bytes)
        var isWhole = false
        while let tag = scanner.next() {
            if tag.name == "/html" { isWhole = true }
            guard tag.name == "script", let part = tag.attributes["data-part"] else { continue }
            let start = tag.range.upperBound
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            let (value, failures) = JSONParser.parse(
                Array(bytes[start..<end]), maximum: limits.maximumParts)
            for var failure in failures {
                failure.offset += start
                reading.log.loss(failure, in: "a block of the page")
            }
            add(value ?? .null, part, at: "byte \(start)")
        }
        if !isWhole { reading.log.loss(at: "byte \(bytes.count)", "the page ends too early") }
    }

    private mutating func add(_ value: JSONValue, _ part: String, at location: String) {
        switch part {
        case "session": begin(value, location)
        case "tabs":
            let first = reading.drafts.last?.tabs.count ?? 0
            for tab in value.array ?? [] { add(tab, location) }
            block = first..<(reading.drafts.last?.tabs.count ?? 0)
        case "histories":
            for (index, history) in zip(block, value.array ?? []) { add(history, to: index) }
        default: break
        }
    }

    private mutating func begin(_ value: JSONValue, _ location: String) {
        let number = value["number"]?.integer ?? 0
        let kind = value["kind"]?.string.flatMap { SessionKind(rawValue: $0) } ?? .regular
        var window =
            windows[number] ?? identity.identifier("window", String(reading.drafts.count))
        // Sessions without a window have the number 0.
        if number == 0
            || reading.drafts.contains(where: { $0.id == SessionID(window: window, kind: kind) })
        {
            window = identity.identifier("window", String(reading.drafts.count))
        }
        windows[number] = window
        var draft = SessionDraft(id: SessionID(window: window, kind: kind), location: location)
        draft.attributes.title = value["title"]?.string ?? ""
        draft.attributes.lastActiveAt = value.time("lastActiveAt")
        if value["closedAt"]?.integer != nil { draft.attributes.closedAt = value.time("closedAt") }
        groups = []
        for (index, group) in (value["groups"]?.array ?? []).enumerated() {
            let id: NodeID = identity.identifier("group", draft.id.description, String(index))
            groups.append(id)
            draft.nodes.append(
                StructureNode.group(
                    id: id, name: group["title"]?.string ?? "",
                    color: TabGroupColor(
                        rawValue: Int32(clamping: group["color"]?.integer ?? 0)),
                    isCollapsed: group["isCollapsed"]?.bool ?? false))
        }
        reading.drafts.append(draft)
    }

    private mutating func add(_ value: JSONValue, _ location: String) {
        guard let number = reading.nextTab(at: location), let last = reading.drafts.indices.last
        else { return }
        var tab = TabDraft(id: identity.identifier("tab", String(number)), location: location)
        tab.metadata.url = value["url"]?.string ?? ""
        tab.metadata.title = value["title"]?.string ?? ""
        tab.metadata.isPinned = value["isPinned"]?.bool ?? false
        tab.metadata.createdAt = value.time("createdAt")
        tab.metadata.lastActiveAt = value.time("lastActiveAt")
        tab.metadata.navigationItemCount = Int32(clamping: value["entries"]?.integer ?? 0)
        if let group = value["group"]?.integer, groups.indices.contains(Int(clamping: group)) {
            tab.metadata.group = groups[Int(group)]
        }
        if value["isHistoryUnreadable"]?.bool == true {
            reading.log.note(at: location, "a history could not be read when the page was written")
        }
        if value["isActive"]?.bool == true {
            reading.drafts[last].attributes.activeTab = tab.metadata.id
        }
        reading.drafts[last].tabs.append(tab)
    }

    private mutating func add(_ value: JSONValue, to index: Int) {
        guard let last = reading.drafts.indices.last, let entries = value["entries"]?.array,
            !entries.isEmpty
        else { return }
        var history = NavigationHistory()
        history.entries = entries.map { entry in
            NavigationEntry(
                url: entry["url"]?.string ?? "", title: entry["title"]?.string ?? "",
                time: entry.time("time"))
        }
        let current = Int(clamping: value["current"]?.integer ?? Int64(entries.count) - 1)
        history.currentIndex = min(max(current, 0), entries.count - 1)
        reading.drafts[last].tabs[index].history = history
        reading.drafts[last].tabs[index].adoptHistory()
    }
}

extension JSONValue {
    /// Returns a time in microseconds since 1970; unknown if there is none.
    func time(_ name: String) -> Timestamp {
        Timestamp(microseconds: self[name]?.integer ?? 0)
    }
}
