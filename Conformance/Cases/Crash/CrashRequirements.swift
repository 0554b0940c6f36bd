import BrowserSessions
import StorageEngines

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
        .catches("forgets-unsynced-saves", says: "was acknowledged") {
            let waiting = FaultMemory<[SessionChanges]>([])
            return $0.on(SaveRequest.self) { save, store in
                guard save.durability >= .powerLoss else {
                    waiting.use { $0.append(save.changes) }
                    return SaveReceipt(sequence: 1, durability: save.durability)
                }
                for changes in waiting.set([]) {
                    _ = try await store.save(changes, durability: save.durability)
                }
                return try await save.perform(on: store)
            }
        }
        .catches("acknowledges-before-writing", says: "was acknowledged") {
            let waiting = FaultMemory<SessionChanges?>(nil)
            return $0.on(SaveRequest.self) { save, store in
                if let changes = waiting.set(save.changes) {
                    _ = try await store.save(changes, durability: save.durability)
                }
                return SaveReceipt(sequence: 1, durability: save.durability)
            }
        }
        SuiteEntry(
            "CRASH-2", .must,
            "When the process is killed during a save, its set is there whole or not at all.",
            needs: needs
        )
        .tried("kills within large saves", timeLimit: .seconds(180), allOrNothing)
        .catches("writes-changes-one-by-one", says: "half a set is there") {
            $0.on(SaveRequest.self) { save, store in
                for change in save.changes.changes {
                    _ = try await store.save(SessionChanges(change), durability: .processCrash)
                    // waits: rests where a kill shows its fault
                    try? await Task.sleep(for: timeForAKill)
                }
                return try await store.save(SessionChanges(), durability: save.durability)
            }
        }
        SuiteEntry(
            "CRASH-3", .must,
            "After a kill no set is there without all earlier ones of its partition.",
            needs: needs
        )
        .tried("kills within a run of small saves", noLaterWithoutEarlier)
        .catches("reorders-saves", says: "a later set is there") {
            let waiting = FaultMemory<SessionChanges?>(nil)
            return $0.on(SaveRequest.self) { save, store in
                if let earlier = waiting.set(nil) {
                    for changes in [save.changes, earlier] {
                        _ = try await store.save(changes, durability: save.durability)
                        // waits: rests where a kill shows its fault
                        try? await Task.sleep(for: timeForAKill)
                    }
                } else {
                    waiting.set(save.changes)
                }
                return SaveReceipt(sequence: 1, durability: save.durability)
            }
        }
        SuiteEntry(
            "CRASH-4", .must,
            """
            After its process was killed, a store opens like any other; restore throws nothing, \
            and a check finds nothing lost.
            """, needs: needs
        )
        .tried("kill and check", staysHealthy)
        .catches("refuses-killed-stores", says: "cannot be opened after") { try openMarked($0, $1) }
        SuiteEntry(
            "CRASH-5", .must, "A kill during the opening that follows a kill loses nothing either.",
            needs: needs
        )
        .tried("five openings are killed", interruptedRecovery)
        .catches("recovers-by-deleting-first", says: "restore threw") {
            try recoverInterruptibly($0, $1)
        }
        SuiteEntry(
            "CRASH-6", .must,
            "Neither the files nor the bytes of a store grow with the number of kills.",
            needs: needs + [.files]
        )
        .tried("many kills", timeLimit: .seconds(900), staysBounded)
        .catches("leaves-a-file-per-opening", says: "files pile up") { configuration, open in
            let store = try open(configuration)
            let count = try FileSystem.contents(of: configuration.location).count
            try FileSystem.replace("\(configuration.location)/temporary-\(count)", with: [])
            return store
        }
        .catches("grows-with-every-opening", says: "bytes pile up") { configuration, open in
            let store = try open(configuration)
            let file = "\(configuration.location)/history"
            let old = try FileSystem.exists(file) ? try FileSystem.read(file) : []
            try FileSystem.replace(file, with: old + [UInt8](repeating: 0, count: 512 << 10))
            return store
        }
    }
}
