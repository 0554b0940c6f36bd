import BrowserSessions

/// Reads the `Session` and `Tabs` files of Chromium for desktop.
///
/// Facts of the commands: Chromium's `components/sessions/core`. A `Session` file becomes one
/// session per open window. A `Tabs` file becomes recently closed sessions: one for single tabs, one
/// for each closed window.
struct SNSSReader {
    let path: String
    let limits: ImportLimits
    let incognito: Bool

    func read() throws(StorageError) -> SourceReading {
        let bytes = try SourceFile.read(path, limit: limits.maximumFileBytes)
        return try Self.read(
            bytes, name: lastComponent(path), limits: limits, incognito: incognito)
    }

    static func read(_ bytes: [UInt8], name: String, limits: ImportLimits, incognito: Bool)
        throws(StorageError) -> SourceReading
    {
        let file = try SNSSFile(bytes, limits: limits)
        let identity = SourceIdentity(.chromiumSNSS, content: bytes)
        var reading = SourceReading(limits: limits)
        reading.counts.records = file.records.count
        var records = file.records
        if file.version == 3 {
            let count = records.count
            records.removeAll { $0.command == SNSSFile.markerCommand }
            if records.count == count, count > 0 {
                reading.log.note(at: "the whole file", "the end of the initial state is not marked")
            }
        }
        if isTabsFile(name, records) {
            var replay = SNSSTabsReplay(limits: limits)
            replay.apply(records, &reading)
            reading.drafts = replay.drafts(identity, &reading)
        } else {
            var replay = SNSSSessionReplay(limits: limits)
            replay.apply(records, &reading)
            reading.drafts = replay.drafts(identity, &reading)
        }
        finish(file, &reading)
        if incognito {
            for index in reading.drafts.indices {
                reading.drafts[index].id.kind = reading.drafts[index].id.kind.offTheRecord
            }
        }
        return reading
    }

    private static func finish(_ file: SNSSFile, _ reading: inout SourceReading) {
        if let offset = file.tornAt {
            reading.log.loss(
                at: "byte \(offset)",
                "the log breaks off or is over the limit; the records before are used")
        }
        let unknown = reading.counts.unknownRecords
        guard unknown > 0 else { return }
        let message = "\(unknown) records have commands that are not known and were passed over"
        if reading.drafts.isEmpty {
            reading.log.loss(at: "the whole file", message)
        } else {
            reading.log.note(at: "the whole file", message)
        }
    }

    /// By the name, and for other names by the commands: only `Tabs` files have 1 and 4.
    private static func isTabsFile(_ name: String, _ records: [SNSSFile.Record]) -> Bool {
        let name = name.lowercased()
        if name.contains("session") { return false }
        if name.contains("tabs") { return true }
        let tabs = records.count { $0.command == 1 || $0.command == 4 }
        let session = records.count { $0.command == 0 || $0.command == 2 || $0.command == 6 }
        return tabs > session
    }
}
