import BrowserSessions

/// Reads tables and lists of links.
///
/// Three forms: a table with the header `file<TAB>section<TAB>title<TAB>url` (a window for each file, a
/// group for each section), rows of `title<TAB>url`, and plain addresses. Empty lines and lines that begin with `#` are passed over.
struct LinksReader {
    let path: String
    let limits: ImportLimits
    let incognito: Bool

    static let header = Array("file\tsection\ttitle\turl".utf8)

    func read() throws(StorageError) -> SourceReading {
        let bytes = try SourceFile.read(path, limit: limits.maximumFileBytes)
        var builder = LinksBuilder(
            identity: SourceIdentity(.links, content: bytes), limits: limits)
        var lines = bytes.split(
            separator: 0x0A, maxSplits: limits.maximumParts, omittingEmptySubsequences: false)
        if lines.count > limits.maximumParts, !lines.removeLast().isEmpty {
            builder.reading.log.loss(
                at: "line \(lines.count + 1)", "lines over the limit are left out")
        }
        let hasHeader = lines.first?.starts(with: Self.header) == true
        let isTable = hasHeader || Self.form(of: lines.prefix(1_000)) == .table
        for (index, line) in lines.enumerated() {
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.isEmpty || line.first == UInt8(ascii: "#") || (hasHeader && index == 0) {
                continue
            }
            let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            builder.add(fields, isTable: isTable, line: index + 1)
        }
        if builder.reading.drafts.isEmpty {
            builder.reading.log.note(at: "the whole file", "there is no link")
        }
        if incognito {
            for index in builder.reading.drafts.indices {
                builder.reading.drafts[index].id.kind = .incognito
            }
        }
        return builder.reading
    }

    /// What the lines of a text are, if at least half of them are links.
    enum Form { case list, table }

    /// By the fields of the lines, since the header of a table may be damaged; `nil` if fewer
    /// than half of the lines end in an address.
    static func form(of lines: some Collection<ArraySlice<UInt8>>) -> Form? {
        var counts: [Int: Int] = [:]
        var all = 0
        for line in lines where !line.isEmpty && line.first != UInt8(ascii: "#") {
            all += 1
            let line = line.last == 0x0D ? line.dropLast() : line
            let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
            guard isAddress(String(decoding: fields.last ?? [], as: UTF8.self)) else { continue }
            counts[fields.count, default: 0] += 1
        }
        let list = (counts[1] ?? 0) + (counts[2] ?? 0)
        let table = counts[4] ?? 0
        guard 2 * max(list, table) >= max(all, 1) else { return nil }
        return table > list ? .table : .list
    }

    /// Whether an address has a scheme, as RFC 3986 spells it, and something after.
    static func isAddress(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, isLetter(first) else { return false }
        let rest = text.utf8[text.utf8.index(after: colon)...]
        return !rest.isEmpty
            && scheme.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
            && !text.utf8.contains { $0 <= 0x20 }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
}

/// Makes windows, groups and tabs of rows, in the order of the rows.
private struct LinksBuilder {
    let identity: SourceIdentity
    let limits: ImportLimits
    var reading: SourceReading
    private var windows: [String: Int] = [:]
    private var groups: Set<TabGroupID> = []
    private var tabCount = 0

    init(identity: SourceIdentity, limits: ImportLimits) {
        self.identity = identity
        self.limits = limits
        reading = SourceReading(limits: limits)
    }

    mutating func add(_ fields: [String], isTable: Bool, line: Int) {
        let location = "line \(line)"
        guard fields.count == (isTable ? 4 : min(fields.count, 2)) else {
            let expected = isTable ? "4" : "1 or 2"
            reading.log.loss(
                at: location, "\(fields.count) fields where \(expected) belong; left out")
            return
        }
        let url = fields[fields.count - 1]
        guard LinksReader.isAddress(url) else {
            reading.log.loss(at: location, "the last field is not an address; left out")
            return
        }
        guard reading.hasRoom(forTab: tabCount, limits: limits, at: location) else {
            tabCount += 1
            return
        }
        let index = draftIndex(isTable ? fields[0] : "")
        let title = fields.count > 1 ? fields[fields.count - 2] : ""
        var tab = TabDraft(id: identity.identifier("tab", String(tabCount)), location: location)
        tabCount += 1
        tab.history = NavigationHistory(url: url, title: title)
        tab.adoptHistory()
        if isTable, !fields[1].isEmpty { tab.metadata.group = group(fields[1], index) }
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
        // No copy of the window is kept: with one, each new group would copy all that are there.
        let id: TabGroupID = identity.identifier(
            "group", reading.drafts[index].attributes.title, section)
        if groups.insert(id).inserted {
            let count = reading.drafts[index].attributes.groups.count
            let color = TabGroupColor(rawValue: Int32(count % 9))
            reading.drafts[index].attributes.groups.append(
                TabGroup(id: id, title: section, color: color))
        }
        return id
    }
}
