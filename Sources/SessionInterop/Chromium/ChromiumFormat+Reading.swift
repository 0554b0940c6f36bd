import BrowserSessions

extension ChromiumFormat {
    /// Reads a `Session` or `Tabs` file of Chromium for desktop.
    ///
    /// The commands are those of Chromium's `components/sessions/core`. A `Session` file becomes one
    /// session per open window. A `Tabs` file becomes sessions of closed tabs: one for single tabs,
    /// and one for each closed window.
    static func read(_ bytes: [UInt8], name: String, limits: ImportLimits)
        throws(StorageError) -> SourceReading
    {
        let file = try SNSSFile(bytes, name: name, limits: limits)
        let identity = SourceIdentity(.chromiumSNSS, content: bytes)
        var reading = SourceReading(limits: limits)
        reading.counts.records = file.records.count
        reading.kind = file.kind.rawValue
        for gap in file.gaps {
            reading.log.loss(
                at: "byte \(gap.lowerBound)",
                "the log is damaged; not read: \(counted(gap.count, "byte"))")
        }
        let records = file.records.filter { !$0.isMarker }
        switch file.kind {
        case .tabs:
            var replay = SNSSTabsReplay()
            replay.apply(records, &reading)
            reading.drafts = replay.drafts(identity, &reading)
        case .session:
            var replay = SNSSSessionReplay(limits: limits)
            replay.apply(records, &reading)
            reading.drafts = replay.drafts(identity, &reading)
        }
        finish(file, &reading)
        return reading
    }

    private static func finish(_ file: SNSSFile, _ reading: inout SourceReading) {
        // A log without a record has not been written yet.
        let isBegun = !file.records.isEmpty && (file.version == 1 || file.hasMarker)
        if let rest = file.unfinished {
            reading.mayLackMore = true
            let location = "byte \(rest.lowerBound)"
            let message =
                "the last record is not complete; not read: \(counted(rest.count, "byte"))"
            // A running browser will write more. A log without its whole initial state was truncated.
            reading.log.add(ImportProblem(isBegun ? .note : .loss, at: location, message))
        }
        reading.isWhole = isBegun
        if !isBegun, !file.records.isEmpty, file.unfinished == nil {
            reading.log.loss(at: "the whole file", "the end of the initial state is missing")
        }
        if let offset = file.limitedAt {
            reading.log.loss(
                at: "byte \(offset)", "records over the limit; what follows is left out")
        }
        let unknown = reading.counts.unknownRecords
        guard unknown > 0 else { return }
        reading.log.add(
            ImportProblem(
                reading.drafts.isEmpty ? .loss : .note, at: "the whole file",
                "\(unknown) records have commands that are not known and were passed over"))
    }
}
