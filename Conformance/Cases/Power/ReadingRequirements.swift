import BrowserSessions
import StorageEngines

extension ConformanceSuite {
    /// Readers and backups beside kills and power cuts.
    @SuiteBuilder static var powerReading: [SuiteEntry] {
        SuiteEntry(
            "POWER-17", .must,
            """
            A reader that is opened at any moment of a store's life, or of what a kill or a power cut left \
            of it, shows exactly the sets up to one, none of those missing that were acknowledged, and \
            changes no file.
            """, needs: watched + [.opensReaders]
        )
        .tried("readers among saves and cuts", timeLimit: longTime, readersAmongCuts)
        .catches(
            reader: "shows-readers-an-older-state", says: "was acknowledged", olderReader
        )
        .catches(reader: "opens-the-store-to-read", says: "a reader changed the store") {
            StoreReader(try ReferenceEngine.open($0), sequence: 0, asOf: .unknown)
        }
        .catches(reader: "refuses-readers-after-a-kill", says: "a reader is refused") {
            guard try wasClosed($0) else {
                throw StorageError(.unavailable, "it was not closed")
            }
            return try LiveReference.openReader($0)
        }
        SuiteEntry(
            "POWER-18", .must,
            """
            A kill or a power cut at any moment of a backup costs neither the store nor the backup that was \
            there before: a whole one with the state of its time is there, the next one succeeds, and \
            nothing is left of the interrupted one.
            """, needs: watched + [.opensReaders]
        )
        .tried("cuts among backups", timeLimit: longTime, cutsAmongBackups(.ordered))
        .tried(
            "cuts among backups, names in any order", timeLimit: longTime, cutsAmongBackups(.strict)
        )
        .catches(backup: "syncs-no-backup", says: "backup") {
            try LiveReference.backUp($0, to: $1, on: UnsyncedFiles())
        }
        .catches(backup: "removes-the-earlier-backup-first", says: "no whole backup is there") {
            try FileSystem.remove($1)
            return try LiveReference.backUp($0, to: $1)
        }
        .catches(backup: "stops-at-an-unfinished-backup", says: "the next backup") {
            if try FileSystem.exists($1 + ".unfinished") {
                throw StorageError(.unsafeLocation, "something is there")
            }
            return try LiveReference.backUp($0, to: $1)
        }
        .catches(backup: "backs-up-an-older-state", says: "shows set") { configuration, path in
            var older = configuration
            older.location = try olderCopy(of: configuration)
            defer { try? FileSystem.remove(older.location) }
            return try LiveReference.backUp(older, to: path)
        }
    }

    /// Opens a reader of what kills and cuts leave at every moment of two lives.
    @Sendable static func readersAmongCuts(_ context: CaseContext) async throws {
        let levels: [Durability] = [.processCrash, .powerLoss]
            .filter(context.traits.durability.contains)
        var lab = try await PowerLab(context, .ordered)
        for round in 1...context.amount(2, full: 6, long: 40) {
            lab.begin(round, stateBytes: [2000, 100, 20_000][round % 3])
            let life = RecordedLife(
                sets: 10, levels: levels, closes: !round.isMultiple(of: 2))
            guard var recording = try await lab.record(life) else { continue }
            if round > 1 {
                let next = RecordedLife(sets: 5, levels: levels)
                guard let later = try await lab.record(next, after: .recording(recording)) else {
                    continue
                }
                recording = later
            }
            let reading = ReadingJudge(context: context, sets: lab.sets, location: lab.location)
            try await lab.cut(
                recording, most: context.amount(40, full: 300, long: 1000), judging: reading.judge)
        }
        try lab.conclude()
    }

    /// Cuts at every moment of a process that makes a first backup, and of one that replaces it.
    static func cutsAmongBackups(_ model: DiskModel) -> @Sendable (CaseContext) async throws -> Void
    {
        { context in
            var lab = try await PowerLab(context, model)
            for round in 1...context.amount(1, full: 3, long: 20) {
                lab.begin(round, stateBytes: [2000, 20_000, 100][round % 3])
                let judge = BackupJudge(
                    context: context, sets: lab.sets, folder: lab.location, model: model)
                let options = ["bytes": "\(lab.sets.stateBytes)"]
                var beginning = PowerLab.Beginning.nothing
                for number in 1...2 {
                    guard
                        let recording = try await lab.record(
                            Worker.recordedBackup, options, after: beginning)
                    else { break }
                    // The first backup is like others, but that there is none before it.
                    if number == 2 || context.depth != .quick {
                        try await lab.cut(
                            recording, most: context.amount(20, full: 200, long: 600),
                            judging: judge.judge)
                    }
                    let end = recording.end
                    beginning = .image(end.disk.image(after: .everything), end.progress)
                }
            }
            try lab.conclude()
        }
    }
}

/// Judges what a reader shows of a store of numbered sets that no process has open.
private struct ReadingJudge: Sendable {
    let context: CaseContext
    let sets: NumberedSets
    let location: String

    @Sendable func judge(_ progress: SaveProgress) async throws {
        let certain = max(progress.certain, progress.acknowledged)
        let before = try LocationFiles(location)
        let reader: StoreReader
        do {
            reader = try await context.openReader(location)
        } catch let error as StorageError {
            // There may be no store yet.
            guard certain == 0, [.notFound, .unavailable].contains(error.code) else {
                throw Violation("a reader is refused: \(error.full)")
            }
            return
        }
        let found = try await sets.lastApplied(in: reader)
        try require(found >= certain, "set \(certain) was acknowledged, a reader shows \(found)")
        try require(
            found <= progress.begun,
            "a reader shows set \(found), and only the sets up to \(progress.begun) may be there")
        let report = try await reader.check()
        try require(report.isHealthy, "a reader reads as damaged: \(report.losses)")
        try await reader.close()
        try before.requireSame(at: location, "a reader changed the store")
    }
}
