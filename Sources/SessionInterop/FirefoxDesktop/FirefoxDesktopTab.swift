import BrowserSessions

extension JSONValue {
    /// The value of a property: a text as it is, and all others as JSON; `nil` for flags that are
    /// off, empty values and nulls.
    var propertyText: String? {
        switch self {
        case .null, .bool(false), .string(""), .array([]), .object([:]): nil
        case .string(let text): text
        default: String(decoding: encoded(), as: UTF8.self)
        }
    }
}

/// A reader of one tab of a `sessionstore` file: its metadata, and its history with frames.
struct FirefoxDesktopTab {
    let limits: ImportLimits
    var log: ProblemLog

    /// The members of a tab that belong to the page that is shown.
    private static let pageKeys: Set<String> = [
        "scroll", "formdata", "pageStyle", "storage", "userTypedValue", "userTypedClear",
        "searchMode", "iconLoadingPrincipal",
    ]
    /// The members that are read separately.
    private static let ownKeys: Set<String> = [
        "entries", "index", "pinned", "image", "lastAccessed", "groupId", "requestedIndex",
        "closedAt", "closedId", "pos", "closedInGroup", "closedInTabGroupId", "sourceWindowId",
        "sourceClosedId", "removeAfterRestore",
    ]

    mutating func read(_ item: JSONValue, id: TabID, _ location: String) -> TabDraft {
        var tab = TabDraft(id: id, location: location)
        tab.metadata.isPinned = item["pinned"]?.bool ?? false
        if let milliseconds = item["lastAccessed"]?.number {
            tab.metadata.lastActiveAt = Timestamp(milliseconds: milliseconds)
        }
        for (key, value) in item.object ?? [:]
        where !Self.ownKeys.contains(key) && !Self.pageKeys.contains(key) {
            tab.metadata.properties["firefox." + key] = value.propertyText
        }
        let page = (item.object ?? [:]).filter {
            Self.pageKeys.contains($0.key) && $0.value.propertyText != nil
        }
        let history = history(item, page: page, location)
        tab.history = history
        tab.adoptHistory()
        if history.entries.isEmpty { tab.metadata.url = item["userTypedValue"]?.string ?? "" }
        return tab
    }

    /// - Parameter page: The tab's values about its page, which are kept with the current entry.
    private mutating func history(
        _ item: JSONValue, page: [String: JSONValue], _ location: String
    ) -> NavigationHistory {
        var history = NavigationHistory()
        guard let entries = item["entries"]?.array else {
            log.loss(at: location + ".entries", "the tab's history is missing")
            return history
        }
        let last = entries.count { $0.object != nil }
        let index = item["index"]?.integer ?? Int64(last)
        let current = Int(min(max(index, 1), Int64(last))) - 1
        for (index, value) in entries.enumerated() {
            let page = history.entries.count == current ? page : [:]
            if let entry = entry(
                value, page: page, "\(location).entries[\(index)]", depth: 0)
            {
                history.entries.append(entry)
            }
        }
        guard !history.entries.isEmpty else { return history }
        if index < 1 || index > last {
            log.repair(at: location + ".index", "out of range; the nearest entry is current")
        }
        history.currentIndex = current
        SourceReading.bound(&history, limits: limits, at: location, log: &log)
        return history
    }

    private mutating func entry(
        _ value: JSONValue, page: [String: JSONValue] = [:], _ location: String, depth: Int
    ) -> NavigationEntry? {
        guard var rest = value.object else {
            log.loss(at: location, "a history entry is not an object and is left out")
            return nil
        }
        var entry = NavigationEntry(url: rest.removeValue(forKey: "url")?.string ?? "")
        if entry.url.isEmpty {
            log.loss(at: location + ".url", "a history entry has no address")
        }
        entry.title = rest.removeValue(forKey: "title")?.string ?? ""
        entry.referrer = rest.removeValue(forKey: "referrer")?.string ?? ""
        let children = rest.removeValue(forKey: "children")?.array ?? []
        if !children.isEmpty, depth == NavigationHistory.maximumFrameDepth {
            log.loss(at: location + ".children", "frames are nested too deep and are left out")
        } else {
            for (index, child) in children.enumerated() where !child.isNull {
                let location = "\(location).children[\(index)]"
                if let frame = self.entry(child, location, depth: depth + 1) {
                    entry.subframes.append(frame)
                }
            }
        }
        if !page.isEmpty { rest["tab"] = .object(page) }
        if !rest.isEmpty { entry.pageState = JSONValue.object(rest).encoded() }
        return entry
    }
}
