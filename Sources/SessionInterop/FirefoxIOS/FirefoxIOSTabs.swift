import BrowserSessions

/// The tabs of a window file.
struct FirefoxIOSTabs {
    let identity: SourceIdentity
    let window: WindowID
    /// The folder of the engine's states, and the most bytes of one.
    let blobs: String
    let limit: Int
    private(set) var open: [TabDraft] = []
    private(set) var incognito: [TabDraft] = []
    var seen: [TabID: JSONValue] = [:]

    /// The seconds from 1970 to 2001, when the browser's clock begins.
    static let epoch = 978_307_200.0

    mutating func read(_ items: [JSONValue], _ reading: inout SourceReading) {
        for (index, item) in items.enumerated() {
            let location = "tabData[\(index)]"
            guard reading.nextTab(at: location) != nil else { break }
            guard item.object != nil else {
                reading.log.loss(at: location, "a tab is not an object and is left out")
                continue
            }
            guard var tab = tab(item, index, location, &reading.log) else { continue }
            tab.loadNative(joined(blobs, "tab-\(tab.metadata.id)"), limit: limit, &reading.log)
            fill(&tab, item, &reading.log)
            let flag = item["isPrivate"]?.bool
            if flag == nil {
                reading.log.loss(at: location + ".isPrivate", "taken for a tab that is not private")
            }
            if flag == true { incognito.append(tab) } else { open.append(tab) }
        }
    }

    /// Returns the tab with its identity; `nil` for a duplicate.
    private mutating func tab(
        _ item: JSONValue, _ index: Int, _ location: String, _ log: inout ProblemLog
    ) -> TabDraft? {
        guard let id = item["id"]?.string.flatMap({ TabID($0) }) else {
            log.loss(at: location + ".id", "the id cannot be read; the tab got a new one")
            return TabDraft(id: derived(index), location: location)
        }
        guard let twin = seen[id] else {
            seen[id] = item
            return TabDraft(id: id, location: location)
        }
        if twin == item {
            log.repair(at: location, "a tab is listed twice; the first stays")
            return nil
        }
        log.repair(at: location, "a tab with the id of another got a new one")
        return TabDraft(id: derived(index), location: location)
    }

    private func derived(_ index: Int) -> TabID {
        identity.identifier("tab", window.description, String(index))
    }

    private func fill(_ tab: inout TabDraft, _ item: JSONValue, _ log: inout ProblemLog) {
        let location = tab.location
        func text(_ key: String, isRequired: Bool = false) -> String {
            let value = item[key]
            if let text = value?.string { return text }
            if isRequired || (value != nil && value?.isNull == false) {
                log.loss(at: "\(location).\(key)", "the value cannot be read")
            }
            return ""
        }
        func time(_ key: String) -> Timestamp {
            guard let seconds = item[key]?.number else {
                log.loss(at: "\(location).\(key)", "the time cannot be read")
                return .unknown
            }
            return Timestamp(seconds: seconds, since: Self.epoch)
        }
        tab.metadata.url = text("siteUrl", isRequired: true)
        tab.metadata.title = text("title")
        tab.metadata.faviconURL = text("faviconURL")
        tab.metadata.lastActiveAt = time("lastUsedTime")
        tab.metadata.createdAt = time("createdAtTime")
        tab.metadata.navigationItemCount = tab.metadata.url.isEmpty ? 0 : 1
        for (key, property) in [
            ("temporaryDocumentSession", "firefox-ios.temporary-documents"),
            ("tabGroupData", "firefox-ios.search-group"),
        ] {
            guard let value = item[key], !value.isNull, value != .array([]) else { continue }
            tab.metadata.properties[property] = String(decoding: value.encoded(), as: UTF8.self)
            // Both values are about this page, not about the next one.
            tab.metadata.properties["firefox-ios.of-page"] = tab.metadata.url
        }
    }
}
