import BrowserSessions
import StorageEngines

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
        .catches("loses-overlapping-saves", says: "an update was lost") {
            let running = FaultMemory(0)
            return $0.on(SaveRequest.self) { save, store in
                let isAlone = running.use { running in
                    running += 1
                    return running == 1
                }
                defer { running.use { $0 -= 1 } }
                if !isAlone { save.changes = SessionChanges() }
                return try await save.perform(on: store)
            }
        }
        SuiteEntry(
            "CONCURRENCY-3", .must,
            """
            Opening a store that the same process has open throws .locked at once and changes \
            nothing; the first handle goes on working.
            """, needs: [.reopening, .files]
        )
        .tried("a second opening, twice", secondOpening)
        .tried("eight openings at once", manyOpenings)
        .catches("has-no-lock", says: "a second handle was opened") {
            try LockFaults.breakLock($0, $1)
        }
        .catches("second-opener-writes", says: "a second opening changed") { configuration, open in
            do throws(StorageError) {
                return try open(configuration)
            } catch {
                guard error.code == .locked else { throw error }
                try FileSystem.replace("\(configuration.location)/waiting", with: [1])
                throw error
            }
        }
        SuiteEntry(
            "CONCURRENCY-4", .must,
            "Opening a store that another process has open throws .locked and changes nothing.",
            needs: [.processes]
        )
        .tried("a store held by another process", heldElsewhere)
        .catches("locks-within-the-process-only", says: "a second handle was opened") {
            try LockFaults.breakLock($0, $1)
        }
        SuiteEntry(
            "CONCURRENCY-6", .must,
            "When the process that holds a store is killed, the store can be opened at once.",
            needs: [.processes]
        )
        .tried("kill -9 of the holder", killedIsFree)
        .catches("lock-outlives-its-process", says: "was killed") { configuration, open in
            let store = try open(configuration)
            let mark = "\(configuration.location)/opened"
            if try FileSystem.exists(mark) {
                throw StorageError(.locked, "somebody has the store")
            }
            try FileSystem.replace(mark, with: [])
            return store.on(CloseRequest.self) { close, store in
                try FileSystem.remove(mark)
                try await close.perform(on: store)
            }
        }
        SuiteEntry(
            "CONCURRENCY-7", .must, "An opening that failed with .locked releases no lock.",
            needs: [.processes]
        )
        .tried("tried here, then from another process", failedOpening)
        .catches("failed-opening-unlocks", says: "after a failed opening") { configuration, open in
            let mark = "\(configuration.location)/refused"
            if try FileSystem.exists(mark) {
                return try LockFaults.breakLock(configuration, open)
            }
            do throws(StorageError) {
                return try open(configuration)
            } catch {
                if error.code == .locked { try FileSystem.replace(mark, with: []) }
                throw error
            }
        }
        SuiteEntry(
            "CONCURRENCY-8", .must,
            """
            A save with an expected sequence number that is not the store's throws .conflict, \
            so that concurrent reading, changing and saving loses nothing.
            """
        )
        .tried("four tasks count", countWithExpectedSequence)
        .catches("ignores-expected-sequence", says: "increment was lost") {
            $0.saving { $0.expectedSequence = nil }
        }
        SuiteEntry(
            "CONCURRENCY-9", .must,
            """
            Where no lock keeps a second opener out, as between a file system in user space and the folder below \
            it, the first one's saves throw .fenced from then on, and the second one's are there.
            """, needs: [.reopening, .files]
        )
        .tried("a second opener, once the first one's lock is gone", takenOver)
        .catches(
            .unwatched("goes-on-beside-another-owner", says: "after another opening"))
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
        .catches(.unwatched("saves-to-files-without-names", says: "was acknowledged after"))
        SuiteEntry(
            "CONCURRENCY-11", .must,
            """
            A store that is moved while it is open goes on where it is then, and has nothing in common with \
            a new one at its former place.
            """, needs: [.reopening, .files]
        )
        .tried("both save, and the moved one deletes incognito", movedStore)
        .catches("deletes-incognito-where-it-was-opened", says: "close '") { configuration, open in
            let path = "\(configuration.location)/incognito"
            return try open(configuration).on(DeleteIncognitoRequest.self) { _, store in
                try await store.deleteIncognito()
                try FileSystem.remove(path)
            }
        }
    }
}
