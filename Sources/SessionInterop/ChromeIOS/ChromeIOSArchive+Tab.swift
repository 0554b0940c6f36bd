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
        var fields = Fields(numbers: object.fields, location: location)
        var (message, metadata) = (ChromeIOSItem(), ChromeIOSMetadata())
        message.identifier = Int32(clamping: integer("uniqueIdentifier", of: &fields) ?? 0)
        metadata.creationTime = integer("creationTime", of: &fields).map { ChromeIOSNumbers($0) }
        metadata.lastActiveTime = integer("lastActiveTime", of: &fields)
            .map { ChromeIOSNumbers($0) }
        let history = history(&fields)
        metadata.navigationItemCount = Int32(clamping: history.entries.count)
        if let current = history.currentIndex.map({ history.entries[$0] }) {
            let address = current.displayURL.isEmpty ? current.url : current.displayURL
            metadata.page = ChromeIOSPage(title: current.title, url: address)
        }
        message.metadata = metadata
        var data = userData(&fields)
        // These are only read where they are needed.
        data.known.formUnion(["OpenerNavigationIndex", "TabId"])
        let opener = integer("OpenerIndex", of: &data)
        if let opener, let navigation = integer("OpenerNavigationIndex", of: &data) {
            message.opener = ChromeIOSNumbers(
                Int64(Int32(clamping: opener)), Int64(Int32(clamping: navigation)))
        }
        var stable = text("stableIdentifier", of: &fields)
        if stable == nil { stable = text("TabId", of: &data) }
        let archived = ChromeIOSArchivedTab(
            id: stable.flatMap { TabID($0) }, userAgent: userAgent("userAgentKey", of: &fields),
            history: history)
        let isPinned = bool("PinnedState", of: &data)
        passOver(fields)
        passOver(data)
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
    private mutating func userData(_ fields: inout Fields) -> Fields {
        let name = "serializedUserData"
        if let number = fields.numbers[name], case .object(let object) = archive.value(number) {
            fields.numbers[name] = object.fields["$0"]
        }
        let members = table(name, of: &fields, "pin and opener cannot be read")
        return Fields(numbers: members, location: fields.location)
    }

    private mutating func userAgent(_ name: String, of fields: inout Fields) -> UserAgent {
        switch text(name, of: &fields) {
        case "AUTOMATIC": .automatic
        case "MOBILE": .mobile
        case "DESKTOP": .desktop
        default: .unspecified
        }
    }

    // MARK: - History

    private mutating func history(_ fields: inout Fields) -> NavigationHistory {
        let location = fields.location
        var history = NavigationHistory()
        if fields.numbers["entries"] == nil { log.loss(at: location, "the history is missing") }
        let wanted = integer("lastCommittedItemIndex", "currentNavigationIndex", of: &fields)
        for (index, number) in list("entries", of: &fields).enumerated() {
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
        var fields = Fields(numbers: object.fields, location: location)
        let url = text("urlString", of: &fields) ?? ""
        let virtual = text("virtualUrlString", "virtualUrl", of: &fields) ?? ""
        if url.isEmpty, virtual.isEmpty { log.loss(at: location, "the entry has no address") }
        let entry = NavigationEntry(
            url: url.isEmpty ? virtual : url,
            displayURL: url.isEmpty || virtual == url ? "" : virtual,
            title: text("title", of: &fields) ?? "",
            time: Timestamp(windowsMicroseconds: integer("timestamp", of: &fields) ?? 0),
            referrer: text("referrerUrlString", "referrer", of: &fields) ?? "",
            referrerPolicy: Int32(clamping: integer("referrerPolicy", of: &fields) ?? 0),
            userAgent: userAgent("userAgentType", of: &fields), requestHeaders: headers(&fields))
        passOver(fields)
        return entry
    }

    private mutating func headers(_ fields: inout Fields) -> [HTTPHeader] {
        let headers = table("httpHeaders", of: &fields, "the headers cannot be read")
        return headers.sorted { $0.key < $1.key }.compactMap { name, number in
            if case .text(let value) = archive.value(number) {
                return HTTPHeader(name: name, value: value)
            }
            log.loss(at: "\(fields.location), httpHeaders", "a header cannot be read")
            return nil
        }
    }
}
