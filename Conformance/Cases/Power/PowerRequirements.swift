import BrowserSessions

extension RequirementGroup {
    /// Power cuts: every save that was acknowledged at `powerLoss` is there.
    public static let power = RequirementGroup(
        "POWER", "Power cuts: every save that was acknowledged at `powerLoss` is there.")
}

extension ConformanceSuite {
    /// The limit of cases that open thousands of stores.
    static let longTime = Duration.seconds(1800)

    @SuiteBuilder static var power: [SuiteEntry] {
        SuiteEntry(
            "POWER-1", .must,
            """
            A save that is acknowledged at powerLoss was synced: the process made a call for that \
            between the beginning of the save and its end.
            """, needs: [.files, .powerLoss, .ownProcess, .watchedCalls]
        )
        .tried("ten durable saves", durableSavesSync)
        .catches("never-syncs", says: "without a sync", engine: .syncsNothing)
        SuiteEntry(
            "POWER-2", .must,
            """
            After a power cut at any moment the store holds exactly the sets up to one, none of those \
            that were acknowledged at powerLoss is missing, nothing reads as damage, and saves go on: \
            on a file system that keeps names in order.
            """, needs: watched, proves: .powerLoss
        )
        .tried("cuts within durable saves", timeLimit: longTime, cuts(.ordered, [.powerLoss]))
        .catches(
            "acknowledges-unsynced-saves", says: "was acknowledged at powerLoss",
            engine: .syncsNothing
        )
        .catches(
            "ends-with-a-removal-that-is-not-synced", says: "was acknowledged at powerLoss",
            engine: .forgetsRemovals
        )
        .catches("checks-no-sums", says: "states are wrong", engine: .readsUnchecked)
        SuiteEntry(
            "POWER-3", .should,
            """
            The same on a file system that promises nothing beyond POSIX: any part of what was not \
            synced may be there without any other, names too.
            """, needs: watched
        )
        .tried("cuts within durable saves", timeLimit: longTime, cuts(.strict, [.powerLoss]))
        .tried("kill, opening, cut", timeLimit: longTime, cutsAfterKills(.strict))
        .catches(
            "never-syncs-names", says: "is not among those that can be read", engine: .syncsNoNames
        )
        .catches(
            "replaces-files-without-their-directory", says: "was acknowledged at powerLoss",
            engine: .writesAtomically)
        SuiteEntry(
            "POWER-4", .must,
            """
            The same where saves at processCrash stand between those at powerLoss: a cut may cost the \
            last of them, never one without all that came after it.
            """, needs: watched, proves: .powerLoss
        )
        .tried("cuts within saves of both levels", timeLimit: longTime, cuts(.ordered, mixedLevels))
        .catches("reads-over-gaps", says: "states are wrong", engine: .readsOverGaps)
        SuiteEntry(
            "POWER-5", .must,
            """
            The same after a kill: what the next process finds is not durable for being readable, and \
            an empty save at powerLoss, or the last one said again with its commit id, makes it so.
            """, needs: watched, proves: .powerLoss
        )
        .tried("kill, opening, cut", timeLimit: longTime, cutsAfterKills(.ordered))
        .catches("believes-what-it-finds", says: "was acknowledged at powerLoss", engine: .believes)
        SuiteEntry(
            "POWER-6", .must,
            "The same where the power goes again while the store is opened after a cut.",
            needs: watched, proves: .powerLoss
        )
        .tried("cut, opening, cut", timeLimit: longTime, cutsAfterCuts)
        .catches(
            "recovers-in-place", says: "is not among those that can be read",
            engine: .recoversInPlace
        )
        .catches(
            "gives-names-before-contents", says: "is not among those that can be read",
            engine: .namesFirst)
        SuiteEntry(
            "POWER-7", .must,
            """
            The same after a sync that failed, whether the store is then opened again in the same \
            process or in the next: what it should have written counts as written for the system, and \
            is lost.
            """, needs: watched, proves: .powerLoss
        )
        .tried("failed sync, opening, cut", timeLimit: longTime, cutsAfterFailedSyncs)
        .catches("believes-what-was-not-synced", says: "states are wrong", engine: .believes)
        SuiteEntry(
            "POWER-8", .should,
            """
            The same on a real ext4 that the kernel cuts off, where the simulated disk must agree with \
            it.
            """, needs: watched
        )
        .tried("cuts of a loop device", timeLimit: longTime, cutsByTheKernel)
    }

    private static let mixedLevels: [Durability] = [
        .processCrash, .processCrash, .powerLoss, .processCrash, .processCrash, .processCrash,
    ]

    /// The abilities for recording what a process does to files.
    static let watched: [Capability] = [
        .files, .processes, .powerLoss, .ownProcess, .watchedCalls,
    ]

    /// Checks syncs. The first save may make files, and sync for that reason alone.
    @Sendable private static func durableSavesSync(_ context: CaseContext) async throws {
        let window = Plain.window(1, tabs: 0..<1)
        var counts: [Int] = []
        try await context.withNewStore { store in
            _ = try await store.save(window.changes, durability: .powerLoss)
            for number in 1...10 {
                let before = SyncCount.now
                var changes = SessionChanges()
                changes.put([UInt8(number)], for: Plain.key(0))
                let receipt = try await store.save(changes, durability: .powerLoss)
                counts.append(SyncCount.now - before)
                try requireEqual(
                    receipt.durability, .powerLoss, "what durable save \(number) reached")
            }
        }
        let lazy = counts.count { $0 == 0 }
        try require(
            lazy == 0,
            "\(lazy) of \(counts.count) saves were acknowledged at powerLoss without a sync")
        context.note("\(counts.reduce(0, +)) syncs in \(counts.count) durable saves")
    }
}
