import BrowserSessions
import LocalFiles

extension ConformanceSuite {
    /// What is not damage, and what damage does not reach.
    @SuiteBuilder static var refusalRequirements: [SuiteEntry] {
        SuiteEntry(
            "RECOVERY-12", .must,
            "A write that a crash cut off is no damage: the sets before it are there.",
            needs: [.files, .processCrash]
        )
        .tried("end of a growing file cut", RefusalCases.unfinishedTail)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "unfinished-is-damaged", says: "called damage",
                    engine: FaultyEngine(.wantsWholeBatches)))
        #endif
        SuiteEntry(
            "RECOVERY-13", .must,
            "An older copy of the regular partition that was put back is reported.", needs: [.files]
        )
        .tried("older copy", RefusalCases.olderCopy)
        #if FaultyBackends
            .catches(
                FaultyBackend("no-marks", says: "is called healthy") {
                    configuration throws(StorageError) in
                    for name in ["regular.closed", "regular.opened"] {
                        try FileSystem.remove("\(configuration.location)/\(name)")
                    }
                    return try ReferenceEngine.open(configuration)
                })
        #endif
        SuiteEntry(
            "RECOVERY-14", .must,
            """
            A lock, missing rights and a newer format are never called corrupted, and no file \
            is changed.
            """, needs: [.files]
        )
        .tried("second opener", RefusalCases.locked)
        .tried("newer format", RefusalCases.newerFormat)
        .tried("missing rights", RefusalCases.withoutRights)
        #if FaultyBackends
            .catches(
                FaultyBackend.renaming(
                    "lock-is-corruption", .locked, "a second opener: threw .corrupted"),
                FaultyBackend("overwrites-newer-stores", says: "opened all the same") {
                    configuration throws(StorageError) in
                    do throws(StorageError) {
                        return try ReferenceEngine.open(configuration)
                    } catch {
                        guard error.code == .incompatibleFormat else { throw error }
                        try FileSystem.remove(configuration.location)
                        return try ReferenceEngine.open(configuration)
                    }
                })
        #endif
        SuiteEntry(
            "RECOVERY-15", .must,
            "Too many open files are never called corrupted, and cost nothing that was saved.",
            needs: [.files, .processes]
        )
        .tried("few descriptors left", RefusalCases.fewDescriptors)
        #if FaultyBackends
            .catches(
                FaultyBackend.renaming(
                    "few-files-are-corruption", .failed, "opening threw .corrupted"))
        #endif
        SuiteEntry(
            "RECOVERY-16", .must,
            "A directory with files of another program is refused, untouched.", needs: [.files]
        )
        .tried("somebody's letter", RefusalCases.foreignDirectory)
        #if FaultyBackends
            .catches(
                FaultyBackend("tidies-up", says: "letter.txt' is gone") {
                    configuration throws(StorageError) in
                    try FileSystem.remove("\(configuration.location)/letters/letter.txt")
                    return try ReferenceEngine.open(configuration)
                })
        #endif
    }
}
