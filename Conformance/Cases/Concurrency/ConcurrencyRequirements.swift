import BrowserSessions
import LocalFiles

extension RequirementGroup {
    /// Many tasks, handles, and processes: one opener at a time, nothing torn, nothing lost.
    public static let concurrency = RequirementGroup(
        "CONCURRENCY",
        """
        Many tasks, handles and processes: one opener at a time, nothing torn, nothing lost.
        """)
}

extension ConformanceSuite {
    @SuiteBuilder static var concurrency: [SuiteEntry] {
        SuiteEntry(
            "CONCURRENCY-1", .must,
            "When many tasks save through one handle, every save takes effect."
        )
        .tried("twelve tasks with tabs of their own", manyWriters)
        #if FaultyBackends
            .catches(
                FaultyBackend("loses-overlapping-saves", says: "an update was lost") {
                    LosesOverlappingSaves(base: $0)
                })
        #endif
        SuiteEntry(
            "CONCURRENCY-3", .must,
            """
            Opening a store that the same process has open throws .locked at once and changes \
            nothing; the first handle goes on working.
            """, needs: [.reopening, .files]
        )
        .tried("a second opening, twice", secondOpening)
        .tried("eight openings at once", manyOpenings)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "has-no-lock", says: "a second handle was opened",
                    opening: LockFaults.breakLock),
                FaultyBackend("second-opener-writes", says: "a second opening changed") {
                    configuration throws(StorageError) in
                    try LockFaults.whenLocked(configuration) { () throws(StorageError) in
                        try FileSystem.replace("\(configuration.location)/waiting", with: [1])
                    }
                })
        #endif
        SuiteEntry(
            "CONCURRENCY-4", .must,
            "Opening a store that another process has open throws .locked and changes nothing.",
            needs: [.processes]
        )
        .tried("a store held by another process", heldElsewhere)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "locks-within-the-process-only", says: "a second handle was opened",
                    opening: LockFaults.breakLock))
        #endif
        SuiteEntry(
            "CONCURRENCY-6", .must,
            "When the process that holds a store is killed, the store can be opened at once.",
            needs: [.processes]
        )
        .tried("kill -9 of the holder", killedIsFree)
        #if FaultyBackends
            .catches(
                FaultyBackend("lock-outlives-its-process", says: "was killed") {
                    configuration throws(StorageError) in
                    UnlocksAtClose(
                        base: try LockFaults.openOnce(configuration),
                        location: configuration.location)
                })
        #endif
        SuiteEntry(
            "CONCURRENCY-7", .must, "An opening that failed with .locked releases no lock.",
            needs: [.processes]
        )
        .tried("tried here, then from another process", failedOpening)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "failed-opening-unlocks", says: "after a failed opening",
                    opening: LockFaults.refuseOnce))
        #endif
        SuiteEntry(
            "CONCURRENCY-8", .must,
            """
            A save with an expected sequence number that is not the store's throws .conflict, \
            so that concurrent reading, changing and saving loses nothing.
            """
        )
        .tried("four tasks count", countWithExpectedSequence)
        #if FaultyBackends
            .catches(
                FaultyBackend("ignores-expected-sequence", says: "increment was lost") {
                    FaultyBackend.ignoringExpectedSequence($0)
                })
        #endif
        SuiteEntry(
            "CONCURRENCY-9", .must,
            """
            Where no lock keeps a second opener out, as between a file system in user space and the folder below \
            it, the first one's saves throw .fenced from then on, and the second one's are there.
            """, needs: [.reopening, .files]
        )
        .tried("a second opener, once the first one's lock is gone", takenOver)
        #if FaultyBackends
            .catches(
                .unwatched("goes-on-beside-another-owner", says: "after another opening"))
        #endif
        SuiteEntry(
            "CONCURRENCY-10", .must,
            """
            Once another program has removed a file or folder of an open store, or put an older one in its \
            place, a save at powerLoss throws .durabilityLost or .fenced, or its set is there at the next \
            opening.
            """, needs: [.reopening, .files, .powerLoss]
        )
        .tried("each file and folder replaced") { try await changedFiles($0, isReplaced: true) }
        .tried("each file and folder removed") { try await changedFiles($0, isReplaced: false) }
        #if FaultyBackends
            .catches(.unwatched("saves-to-files-without-names", says: "was acknowledged after"))
        #endif
        SuiteEntry(
            "CONCURRENCY-11", .must,
            """
            A store that is moved while it is open goes on where it is then, and has nothing in common with \
            a new one at its former place.
            """, needs: [.reopening, .files]
        )
        .tried("both save, and the moved one deletes incognito", movedStore)
        #if FaultyBackends
            .catches(
                FaultyBackend("deletes-incognito-where-it-was-opened", says: "the new store") {
                    configuration throws(StorageError) in
                    DeletesByPath(
                        base: try ReferenceEngine.open(configuration),
                        path: "\(configuration.location)/incognito")
                })
        #endif
    }
}
