import BrowserSessions

/// A builder of windows, groups and tabs from rows, in the order of the rows.
struct LinksTable {
    let identity: SourceIdentity
    let limits: ImportLimits
    var reading: SourceReading
    private var windows: [String: Int] = [:]
    private var groups: Set<TabGroupID> = []
    private var tabCount = 0

    static func read(
        _ lines: [ArraySlice<UInt8>], hasHeader: Bool, _ identity: SourceIdentity,
        _ limits: ImportLimits
    ) -> SourceReading {
        var table = Self(identity: identity, limits: limits)
        for (index, line) in lines.enumerated() {
            if line.isEmpty || line.first == UInt8(ascii: "#") || (hasHeader && index == 0) {
                continue
            }
            let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            table.add(fields, line: index + 1)
        }
        return table.reading
    }

    private init(identity: SourceIdentity, limits: ImportLimits) {
        self.identity = identity
        self.limits = limits
        reading = SourceReading(limits: limits)
    }

    private mutating func add(_ fields: [String], line: Int) {
        let location = "line \(line)"
        guard fields.count == 4 else {
            reading.log.loss(
                at: location, "\(fields.count) fields where 4 belong; left out")
            return
        }
        let url = fields[3]
        guard LinkAddress.isAddress(url) else {
            reading.log.loss(at: location, "the last field is not an address; left out")
            return
        }
        guard reading.hasRoom(forTab: tabCount, limits: limits, at: location) else {
            tabCount += 1
            return
        }
        let index = draftIndex(fields[0])
        let title = fields[2]
        var tab = TabDraft(id: identity.identifier("tab", String(tabCount)), location: location)
        tabCount += 1
        tab.history = NavigationHistory(url: url, title: title)
        tab.adoptHistory()
        if !fields[1].isEmpty { tab.metadata.group = group(fields[1], index) }
        reading.drafts[index].tabs.append(tab)
    }

    private mutating func draftIndex(_ file: String) -> Int {
        if let index = windows[file] { return index }
        var draft = SessionDraft(
            id: SessionID(window: identity.identifier("window", file)))
        draft.location = "window \(reading.drafts.count)"
        draft.attributes.title = file
        reading.drafts.append(draft)
        windows[file] = reading.drafts.count - 1
        return reading.drafts.count - 1
    }

    private mutating func group(_ section: String, _ index: Int) -> TabGroupID {
        // Keeps no copy of the window, because each new group would then copy all existing ones.
        let id: TabGroupID = identity.identifier(
            "group", reading.drafts[index].attributes.title, section)
        if groups.insert(id).inserted {
            let count = reading.drafts[index].nodes.count
            let color = TabGroupColor(rawValue: Int32(count % 9))
            reading.drafts[index].nodes.append(
                StructureNode.group(id: id, name: section, color: color))
        }
        return id
    }
}
