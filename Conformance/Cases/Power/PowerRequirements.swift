import BrowserSessions

extension RequirementGroup {
    /// Power cuts: every save that was acknowledged at `powerLoss` is there. Power cuts are not
    /// simulated yet.
    public static let power = RequirementGroup(
        "POWER", "Power cuts: every save that was acknowledged at `powerLoss` is there.")
}

extension SuiteGroup {
    static var power: SuiteGroup { SuiteGroup(.power, ConformanceSuite.power) }
}

extension ConformanceSuite {
    @SuiteBuilder static var power: [SuiteEntry] {
        SuiteEntry(
            "POWER-1", .must,
            """
            A save that is acknowledged at powerLoss was synced: the process made a call for that \
            between the beginning of the save and its end.
            """, needs: [.files, .powerLoss, .ownProcess, .countedSyncs]
        )
        .tried("ten durable saves", durableSavesSync)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "never-syncs", says: "without a sync", engine: FaultyEngine(syncsNothing: true))
            )
        #endif
    }

    /// The first save may make files, and sync for that reason alone.
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
