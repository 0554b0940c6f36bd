import BrowserSessions

extension ConformanceSuite {
    /// Power cuts during work other than saves.
    @SuiteBuilder static var powerAftermath: [SuiteEntry] {
        SuiteEntry(
            "POWER-9", .must,
            """
            Recovery from damage that a power cut interrupts saves no less than recovery that ends, and \
            what was lost is still reported.
            """, needs: watched
        )
        .tried("damage, opening, cut", timeLimit: longTime, RecoveryCuts.cuts)
        #if FaultyBackends
            .catches(
                FaultyBackend("empties-what-is-damaged", says: "that was cut off saved") {
                    configuration throws(StorageError) in
                    try EmptiesWhatIsDamaged.open(configuration)
                })
        #endif
        SuiteEntry(
            "POWER-16", .must,
            """
            After a power cut at any moment of taking and releasing restore points each point that is \
            there shows exactly the sets up to its number, those that were taken are there, and those \
            that were released are not.
            """, needs: watched + [.takesRestorePoints]
        )
        .tried("cuts among points", timeLimit: longTime, cutsAmongPoints(.ordered))
        #if FaultyBackends
            .catches(
                FaultyBackend("takes-points-without-a-sync", says: "that was taken is gone") {
                    base in
                    TakesPoints(
                        base: base,
                        onTake: { base, name, pinned throws(StorageError) in
                            RestorePoint(
                                id: RestorePointID(rawValue: 1), takenAt: .now(), reason: .named,
                                name: name, isPinned: pinned)
                        })
                },
                FaultyBackend("mixes-points", says: "at a restore point (named)") { base in
                    AlteredStorage(
                        base: base,
                        onRestore: { base, id, version throws(StorageError) in
                            guard version != .current,
                                let newest = try await base.restorePoints().first
                            else { return try await base.restore(id, at: version) }
                            return try await base.restore(id, at: .point(newest.id))
                        })
                })
        #endif
        SuiteEntry(
            "POWER-10", .should,
            "Of what a kill or a power cut interrupted no file is left once the store was opened again.",
            needs: watched
        )
        .tried("kill, opening, cut", timeLimit: longTime, LeftoverFiles.cuts)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "leaves-drafts", says: "a cut leaves the file",
                    engine: FaultyEngine(.writesAtomically)))
        #endif
        SuiteEntry(
            "POWER-11", .must,
            """
            A kill while a store with thousands of tabs is opened, saved to or closed is no damage: all \
            tabs are there, and nothing is set aside.
            """, needs: watched
        )
        .tried("kills among all changes", timeLimit: longTime, ManyTabs.kills)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "rewrites-its-log-in-place", says: "tabs are there",
                    engine: FaultyEngine(.recoversInPlace)))
        #endif
    }
}
