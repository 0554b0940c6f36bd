import BrowserSessions

/// The values of a tab that only an archive holds, not a `session_metadata.pb`.
struct ChromeIOSArchivedTab: Equatable {
    /// The lasting identifier of a tab from before tabs were numbered.
    var id: TabID?
    var userAgent: UserAgent
    var history: NavigationHistory
}

extension ChromeIOSArchive {
    /// Reads a tab; `nil` if the number does not belong to one.
    mutating func tab(_ number: Int, at location: String)
        -> (item: ChromeIOSList.Item, isPinned: Bool)?
    {
        guard case .object(let object) = archive.value(number),
            Self.isOf(object, ["CRWSessionStorage", "CRWNavigationManagerStorage"], "entries")
        else {
            log.loss(at: location, "the tab cannot be read and is left out")
            return nil
        }
        let fields = object.fields
        var message = ChromeIOSItem()
        message.identifier = Int32(
            clamping: integer("uniqueIdentifier", of: fields, at: location) ?? 0)
        var metadata = ChromeIOSMetadata()
        metadata.creationTime = integer("creationTime", of: fields, at: location)
            .map { ChromeIOSNumbers($0) }
        metadata.lastActiveTime = integer("lastActiveTime", of: fields, at: location)
            .map { ChromeIOSNumbers($0) }
        let history = history(fields, at: location)
        metadata.navigationItemCount = Int32(clamping: history.entries.count)
        if let current = history.currentIndex.map({ history.entries[$0] }) {
            let address = current.displayURL.isEmpty ? current.url : current.displayURL
            metadata.page = ChromeIOSPage(title: current.title, url: address)
        }
        message.metadata = metadata
        let data = userData(fields, at: location)
        if let index = integer("OpenerIndex", of: data, at: location),
            let navigation = integer("OpenerNavigationIndex", of: data, at: location)
        {
            message.opener = ChromeIOSNumbers(
                Int64(Int32(clamping: index)), Int64(Int32(clamping: navigation)))
        }
        let stable =
            text("stableIdentifier", of: fields, at: location)
            ?? text("TabId", of: data, at: location)
        let archived = ChromeIOSArchivedTab(
            id: stable.flatMap { TabID($0) },
            userAgent: userAgent("userAgentKey", of: fields, at: location), history: history)
        let isPinned = bool("PinnedState", of: data, at: location)
        passOver(
            fields,
            known: [
                "uniqueIdentifier", "creationTime", "lastActiveTime", "entries", "userAgentKey",
                "lastCommittedItemIndex", "currentNavigationIndex", "stableIdentifier",
                "serializedUserData",
            ])
        passOver(data, known: ["PinnedState", "OpenerIndex", "OpenerNavigationIndex", "TabId"])
        return (ChromeIOSList.Item(message: message, archived: archived), isPinned)
    }

    /// Returns whether an object is of one of the classes. If its class differs or cannot be read,
    /// returns whether it has the field that identifies them.
    private static func isOf(
        _ object: KeyedArchive.Object, _ classes: [String], _ field: String
    ) -> Bool {
        classes.contains(object.className) || object.fields[field] != nil
    }

    /// Reads a table. Newer versions put it into an object.
    private mutating func userData(_ fields: [String: Int], at location: String) -> [String: Int] {
        var node = node("serializedUserData", of: fields)
        if case .object(let object) = node { node = self.node("$0", of: object.fields) }
        switch node {
        case nil, .null: return [:]
        case .dictionary(let members): return members
        default:
            log.loss(at: "\(location), serializedUserData", "pin and opener cannot be read")
            return [:]
        }
    }

    private mutating func userAgent(
        _ name: String, of fields: [String: Int], at location: String
    ) -> UserAgent {
        switch text(name, of: fields, at: location) {
        case "AUTOMATIC": .automatic
        case "MOBILE": .mobile
        case "DESKTOP": .desktop
        default: .unspecified
        }
    }

    // MARK: - History

    private mutating func history(_ fields: [String: Int], at location: String)
        -> NavigationHistory
    {
        var history = NavigationHistory()
        if fields["entries"] == nil { log.loss(at: location, "the history is missing") }
        let wanted =
            integer("lastCommittedItemIndex", of: fields, at: location)
            ?? integer("currentNavigationIndex", of: fields, at: location)
        let numbers = list("entries", of: fields, at: location)
        for (index, number) in numbers.enumerated() {
            if archive.list.isExhausted { break }
            if let entry = entry(number, at: "\(location), entry \(index)") {
                history.entries.append(entry)
            }
            if Int64(index) == wanted { history.currentIndex = max(history.entries.count - 1, 0) }
        }
        if history.entries.isEmpty {
            history.currentIndex = nil
        } else if history.currentIndex == nil {
            history.currentIndex = history.entries.count - 1
            log.repair(at: location, "the current entry is out of range; the last one is current")
        }
        return history
    }

    private mutating func entry(_ number: Int, at location: String) -> NavigationEntry? {
        guard case .object(let object) = archive.value(number),
            Self.isOf(
                object, ["CRWNavigationItemStorage", "CRWSessionEntry"], "virtualUrlString")
        else {
            log.loss(at: location, "the entry cannot be read and is left out")
            return nil
        }
        let fields = object.fields
        let url = text("urlString", of: fields, at: location) ?? ""
        let virtual =
            text("virtualUrlString", of: fields, at: location)
            ?? text("virtualUrl", of: fields, at: location) ?? ""
        if url.isEmpty, virtual.isEmpty { log.loss(at: location, "the entry has no address") }
        let referrer =
            text("referrerUrlString", of: fields, at: location)
            ?? text("referrer", of: fields, at: location) ?? ""
        let time = integer("timestamp", of: fields, at: location) ?? 0
        passOver(
            fields,
            known: [
                "urlString", "virtualUrlString", "virtualUrl", "title", "timestamp", "referrer",
                "referrerUrlString", "referrerPolicy", "userAgentType", "httpHeaders",
            ])
        return NavigationEntry(
            url: url.isEmpty ? virtual : url,
            displayURL: url.isEmpty || virtual == url ? "" : virtual,
            title: text("title", of: fields, at: location) ?? "",
            time: Timestamp(windowsMicroseconds: time), referrer: referrer,
            referrerPolicy: Int32(
                clamping: integer("referrerPolicy", of: fields, at: location) ?? 0),
            userAgent: userAgent("userAgentType", of: fields, at: location),
            requestHeaders: headers(fields, at: location))
    }

    private mutating func headers(_ fields: [String: Int], at location: String) -> [HTTPHeader] {
        switch node("httpHeaders", of: fields) {
        case nil, .null: return []
        case .dictionary(let headers):
            return headers.sorted { $0.key < $1.key }.compactMap { name, number in
                if case .text(let value) = archive.value(number) {
                    return HTTPHeader(name: name, value: value)
                }
                log.loss(at: "\(location), httpHeaders", "a header cannot be read")
                return nil
            }
        default:
            log.loss(at: "\(location), httpHeaders", "the headers cannot be read")
            return []
        }
    }
}
