import BrowserSessions
import LocalFiles

extension RequirementGroup {
    /// Killed processes: every acknowledged save is there, and a later one is entire or absent.
    public static let crash = RequirementGroup(
        "CRASH",
        """
        Processes that are killed: every acknowledged save is there, and a later one is whole or absent.
        """)
}

extension ConformanceSuite {
    private static let needs: [Capability] = [.processes, .processCrash]

    @SuiteBuilder static var crash: [SuiteEntry] {
        SuiteEntry(
            "CRASH-1", .must,
            "A save that was acknowledged survives the kill of its process at any moment.",
            needs: needs, proves: .processCrash
        )
        .tried("saves that ask for processCrash", acknowledgedSurvive("processCrash"))
        .tried("saves that ask for powerLoss", acknowledgedSurvive("powerLoss"))
        .tried("both in turn", acknowledgedSurvive("both"))
        #if FaultyBackends
            .catches(
                FaultyBackend("forgets-unsynced-saves", says: "was acknowledged") {
                    DelayedSaves(base: $0, whenToWrite: .atDurableSave)
                },
                FaultyBackend("acknowledges-before-writing", says: "was acknowledged") {
                    DelayedSaves(base: $0, whenToWrite: .atNextSave)
                })
        #endif
        SuiteEntry(
            "CRASH-2", .must,
            "When the process is killed during a save, its set is there whole or not at all.",
            needs: needs
        )
        .tried("kills within large saves", timeLimit: .seconds(180), allOrNothing)
        #if FaultyBackends
            .catches(
                FaultyBackend("writes-changes-one-by-one", says: "half a set is there") {
                    WritesOneByOne(base: $0)
                })
        #endif
        SuiteEntry(
            "CRASH-3", .must,
            "After a kill no set is there without all earlier ones of its partition.",
            needs: needs
        )
        .tried("kills within a run of small saves", noLaterWithoutEarlier)
        #if FaultyBackends
            .catches(
                FaultyBackend("reorders-saves", says: "a later set is there") {
                    DelayedSaves(base: $0, whenToWrite: .afterNextSave)
                })
        #endif
        SuiteEntry(
            "CRASH-4", .must,
            """
            After its process was killed, a store opens like any other; restore throws nothing, \
            and a check finds nothing lost.
            """, needs: needs
        )
        .tried("kill and check", staysHealthy)
        #if FaultyBackends
            .catches(
                FaultyBackend("refuses-killed-stores", says: "cannot be opened after") {
                    configuration throws(StorageError) in
                    try MarkedUntilClosed.open(configuration)
                })
        #endif
        SuiteEntry(
            "CRASH-5", .must, "A kill during the opening that follows a kill loses nothing either.",
            needs: needs
        )
        .tried("five openings are killed", interruptedRecovery)
        #if FaultyBackends
            .catches(
                FaultyBackend("recovers-by-deleting-first", says: "restore threw") {
                    configuration throws(StorageError) in
                    try InterruptibleRecovery.open(configuration)
                })
        #endif
        SuiteEntry(
            "CRASH-6", .must,
            "Neither the files nor the bytes of a store grow with the number of kills.",
            needs: needs + [.files]
        )
        .tried("many kills", timeLimit: .seconds(900), staysBounded)
        #if FaultyBackends
            .catches(
                FaultyBackend("leaves-a-file-per-opening", says: "files pile up") {
                    configuration throws(StorageError) in
                    let store = try ReferenceEngine.open(configuration)
                    let count = try FileSystem.contents(of: configuration.location).count
                    try FileSystem.replace("\(configuration.location)/temporary-\(count)", with: [])
                    return store
                },
                FaultyBackend("grows-with-every-opening", says: "bytes pile up") {
                    configuration throws(StorageError) in
                    let store = try ReferenceEngine.open(configuration)
                    let file = "\(configuration.location)/history"
                    let old = try FileSystem.exists(file) ? try FileSystem.read(file) : []
                    let more = [UInt8](repeating: 0, count: 512 << 10)
                    try FileSystem.replace(file, with: old + more)
                    return store
                })
        #endif
    }
}
