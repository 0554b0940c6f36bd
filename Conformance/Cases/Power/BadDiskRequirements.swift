import BrowserSessions

extension ConformanceSuite {
    /// Power cuts on disks that keep less than a store may expect.
    @SuiteBuilder static var powerOnBadDisks: [SuiteEntry] {
        SuiteEntry(
            "POWER-12", .must,
            """
            The same for a new store in a folder that was there before without a sync, for one made \
            while a sync failed, and for a closed one that was copied to its place without a sync, of \
            names or of anything: acknowledged sets are there, and nothing reads as damage.
            """, needs: watched, proves: .powerLoss
        )
        .tried(
            "a folder that was there", timeLimit: longTime, BadDisks.foldersThatWereThere(.ordered)
        )
        .tried("failed sync in the making", timeLimit: longTime, BadDisks.failedMakings(.ordered))
        .tried("a copy", timeLimit: longTime, BadDisks.backups(.ordered))
        .tried(
            "a copy without a sync", timeLimit: longTime,
            BadDisks.backups(.ordered, syncingFiles: false)
        )
        .catches("believes-what-an-opening-left", says: "states are wrong", engine: .believes)
        .catches(
            .unwatched(
                "takes-a-copy-for-its-own", says: "states are wrong", engine: .beginsAnotherLog))
        SuiteEntry(
            "POWER-13", .should,
            "The same on a file system that promises nothing beyond POSIX.", needs: watched
        )
        .tried(
            "a folder that was there", timeLimit: longTime, BadDisks.foldersThatWereThere(.strict)
        )
        .tried("failed sync in the making", timeLimit: longTime, BadDisks.failedMakings(.strict))
        .tried("a copy", timeLimit: longTime, BadDisks.backups(.strict))
        SuiteEntry(
            "POWER-14", .should,
            """
            A sync that says that it is done and has lost what it should have written may cost sets, and \
            whatever it costs is reported: what reads as sound is whole and the last.
            """, needs: watched
        )
        .tried("one lying sync", timeLimit: longTime, BadDisks.lies)
        .catches("swallows-what-a-lie-cost", says: "states are wrong") { $0.swallowingLosses() }
        SuiteEntry(
            "POWER-15", .must,
            """
            A sector beside the last that was written, which the power cut destroys, may cost sets, and \
            whatever it costs is reported.
            """, needs: watched
        )
        .tried("destroyed neighbors", timeLimit: longTime, BadDisks.destroyedNeighbors)
        .catches("swallows-what-a-sector-cost", says: "states are wrong") { $0.swallowingLosses() }
    }
}
