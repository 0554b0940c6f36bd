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

/// Reads one tab of a `sessionstore` file: its metadata, and its history with frames.
extension TabDraft {
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

    init(
        firefox item: JSONValue, id: TabID, at location: String, _ log: inout ProblemLog
    ) {
        self.init(id: id, location: location)
        metadata.isPinned = item["pinned"]?.bool ?? false
        metadata.lastActiveAt = item.moment("lastAccessed")
        var page: [String: JSONValue] = [:]
        for (key, value) in item.object ?? [:] where !Self.ownKeys.contains(key) {
            guard let text = value.propertyText else { continue }
            if Self.pageKeys.contains(key) {
                page[key] = value
            } else {
                metadata.properties["firefox." + key] = text
            }
        }
        let history = NavigationHistory(firefox: item, page: page, at: location, &log)
        self.history = history
        adoptHistory()
        if history.entries.isEmpty { metadata.url = item["userTypedValue"]?.string ?? "" }
    }
}

extension NavigationHistory {
    /// - Parameter page: The tab's values about its page, which are kept with the current entry.
    fileprivate init(
        firefox item: JSONValue, page: [String: JSONValue], at location: String,
        _ log: inout ProblemLog
    ) {
        self.init()
        guard let values = item["entries"]?.array else {
            log.loss(at: location + ".entries", "the tab's history is missing")
            return
        }
        let last = values.count { $0.object != nil }
        let index = item["index"]?.integer ?? Int64(last)
        let current = Int(min(max(index, 1), Int64(last))) - 1
        for (index, value) in values.enumerated() {
            let entry = NavigationEntry(
                firefox: value, page: entries.count == current ? page : [:],
                at: "\(location).entries[\(index)]", &log)
            if let entry { entries.append(entry) }
        }
        guard !entries.isEmpty else { return }
        if index < 1 || index > last {
            log.repair(at: location + ".index", "out of range; the nearest entry is current")
        }
        currentIndex = current
    }
}

extension NavigationEntry {
    fileprivate init?(
        firefox value: JSONValue, page: [String: JSONValue] = [:], at location: String,
        depth: Int = 0, _ log: inout ProblemLog
    ) {
        guard var rest = value.object else {
            log.loss(at: location, "a history entry is not an object and is left out")
            return nil
        }
        self.init(url: rest.removeValue(forKey: "url")?.string ?? "")
        if url.isEmpty { log.loss(at: location + ".url", "a history entry has no address") }
        title = rest.removeValue(forKey: "title")?.string ?? ""
        referrer = rest.removeValue(forKey: "referrer")?.string ?? ""
        let children = rest.removeValue(forKey: "children")?.array ?? []
        if !children.isEmpty, depth == NavigationHistory.maximumFrameDepth {
            log.loss(at: location + ".children", "frames are nested too deep and are left out")
        } else {
            for (index, child) in children.enumerated() where !child.isNull {
                let frame = NavigationEntry(
                    firefox: child, at: "\(location).children[\(index)]", depth: depth + 1, &log)
                if let frame { subframes.append(frame) }
            }
        }
        if !page.isEmpty { rest["tab"] = .object(page) }
        if !rest.isEmpty { pageState = JSONValue.object(rest).encoded() }
    }
}
