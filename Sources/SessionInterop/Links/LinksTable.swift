import BrowserSessions

/// A reader of the rows of a table: a window for each file, a group for each section.
enum LinksTable {
    static func read(
        _ lines: [ArraySlice<UInt8>], hasHeader: Bool, _ identity: SourceIdentity,
        _ limits: ImportLimits
    ) -> SourceReading {
        var sessions = ListedSessions(identity, limits)
        for (index, line) in lines.enumerated() {
            if line.isEmpty || line.first == UInt8(ascii: "#") || (hasHeader && index == 0) {
                continue
            }
            let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            let location = "line \(index + 1)"
            if fields.count != 4 {
                sessions.reading.log.loss(
                    at: location, "\(fields.count) fields where 4 belong; left out")
            } else if !LinkAddress.isAddress(fields[3]) {
                sessions.reading.log.loss(
                    at: location, "the last field is not an address; left out")
            } else {
                sessions.row(file: fields[0], section: fields[1])
                sessions.tab(fields[3], fields[2], at: location)
            }
        }
        return sessions.finish()
    }
}
