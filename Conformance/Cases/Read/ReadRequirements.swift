import BrowserSessions
import StorageEngines

extension RequirementGroup {
    /// Stores that are only read: what is shown is what was saved, and nothing changes.
    public static let read = RequirementGroup(
        "READ", "Stores that are only read, also beside their owner: nothing of them changes.")
}

extension ConformanceSuite {
    static let read = ReadCases.onlyReading + ReadCases.besideOwner
}

/// Rules for stores that are only read.
enum ReadCases {
    @SuiteBuilder static var onlyReading: [SuiteEntry] {
        SuiteEntry(
            "READ-1", .must,
            """
            With 'access' readOnly a store gives what was saved, nothing of it is changed, not \
            even by opening it, however it was left, and every call that would change something \
            is refused as permissionDenied. No restore point is taken: the newest is that of \
            the last opening that might change the store. A backend that cannot do that refuses \
            the opening as unsupported, and a store that has an owner is locked.
            """, needs: [.reopening]
        )
        .tried("a store that is there", readOnlyAccess)
        .tried("one that is not", readOnlyAbsence)
        .tried("restore points, of one that was closed and one that was not", readOnlyEarlier)
        .catches("writes-all-the-same", says: "save() of a store opened for reading only") {
            configuration, open in
            configuration.options["access"] = nil
            return try open(configuration)
        }
        .catches("marks-what-it-reads", says: "'looked' is new") { configuration, open in
            let store = try open(configuration)
            if configuration.access == .readOnly {
                try FileSystem.replace("\(configuration.location)/looked", with: [1])
            }
            return store
        }
        .catches("looks-as-an-owner-first", says: "was changed") { configuration, open in
            if configuration.access == .readOnly {
                var owner = configuration
                owner.options["access"] = nil
                try OrderedSessionStorage(opening: owner, engine: ReferenceEngine())
                    .closeBlocking()
            }
            return try open(configuration)
        }
        .catches("takes-a-point-of-what-it-reads", says: "the restore point") {
            configuration, open in
            let store = try open(configuration)
            return configuration.access == .readOnly ? store.restoringPresent() : store
        }
        .catches("makes-what-it-cannot-read", says: "expected an error, no error was thrown") {
            configuration, open in
            if try !FileSystem.exists(configuration.location) {
                configuration.options["access"] = nil
            }
            return try open(configuration)
        }
        SuiteEntry(
            "READ-3", .must,
            "A reader of what is no store throws notFound, and makes nothing.",
            needs: [.opensReaders]
        )
        .tried("nothing, and an empty folder", readerOfNothing)
        .catches(
            FaultyBackend(
                "reads-nothing-as-empty", says: "expected .notFound",
                reading: { configuration in
                    guard try FileSystem.exists(configuration.location) else {
                        return try emptyReader(configuration)
                    }
                    return try LiveReference.openReader(configuration)
                }))
        SuiteEntry(
            "READ-4", .must,
            """
            What is only read is not repaired: opened with 'access' readOnly a damaged store reports its \
            losses, a reader shows what was saved last or throws unavailable or corrupted, and no file changes.
            """, needs: [.files]
        )
        .tried(each: [FileDamage.flip, .remove], readDamage)
        .catches(
            FaultyBackend(
                "shows-readers-what-is-left", says: "a reader shows",
                reading: { configuration in
                    do throws(StorageError) {
                        return try LiveReference.openReader(configuration)
                    } catch {
                        guard error.code == .unavailable else { throw error }
                        return try emptyReader(configuration)
                    }
                }))
    }

    @Sendable static func readerOfNothing(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        for isFolder in context.harness.persistence == .files ? [false, true] : [false] {
            if isFolder { try FileSystem.makeDirectories(location) }
            try await requireError(.notFound, from: "a reader of what is no store") {
                _ = try await context.openReader(location)
            }
            try requireEqual(try LocationFiles(location).entries.count, 0, "what is there then")
            try requireEqual(
                try FileSystem.exists(location), isFolder, "whether the folder is there")
        }
    }

    @Sendable static func readDamage(_ kind: FileDamage, _ context: CaseContext) async throws {
        let readOnly = ["access": OptionValue.text(StorageAccess.readOnly.rawValue)]
        try await DamageTrial.each(kind, context, options: readOnly) { trial in
            let before = try LocationFiles(trial.location)
            try RecoveryCases.survives(trial, try await DamagedContent(trial))
            try await trial.store.close()
            if context.traits.opensReaders {
                do {
                    let reader = try await context.openReader(trial.location)
                    try requireEqual(
                        try await StoreContent.read(reader),
                        StoreContent(trial.used.sessions(of: .regular)),
                        "\(trial.what): what a reader shows")
                    try await reader.close()
                } catch let error as StorageError {
                    let codes: [StorageError.Code] = [.unavailable, .corrupted, .notFound]
                    try require(
                        codes.contains(error.code), "\(trial.what): a reader: \(error.full)")
                }
            }
            try before.requireSame(at: trial.location, "\(trial.what), and damage was only read")
        }
    }
}
