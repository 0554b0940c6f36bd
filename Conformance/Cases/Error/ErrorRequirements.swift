import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines

extension RequirementGroup {
    /// Errors: the right code, the result of the change, and nothing private.
    public static let error = RequirementGroup(
        "ERROR",
        """
        Errors: the right code, what became of the change, and nothing private.
        """)
}

extension ConformanceSuite {
    @SuiteBuilder static var error: [SuiteEntry] {
        SuiteEntry(
            "ERROR-1", .must,
            "Opening with 'create' false where there is no store throws notFound and makes none."
        )
        .tried("open nothing", openNothing)
        #if FaultyBackends
            .catches(
                FaultyBackend("creates-anyway", says: "no error was thrown") {
                    configuration throws(StorageError) in
                    var configuration = configuration
                    configuration.options["create"] = nil
                    return try ReferenceEngine.open(configuration)
                })
        #endif
        SuiteEntry(
            "ERROR-2", .must,
            """
            Opening at a file or a symbolic link, or a store in which a link is or to which others may \
            write, throws unsafeLocation and leaves what is there as it is.
            """, needs: [.files]
        )
        .tried("a file, a link, a link to nothing", unsafeLocations)
        .tried("a link in the place of each file and folder", UnsafeStores.linksInside)
        .tried("folders to which others may write", UnsafeStores.writableByOthers)
        #if FaultyBackends
            .catches(
                FaultyBackend("replaces-files", says: "opening at 'file'") {
                    configuration throws(StorageError) in
                    if try FileSystem.status(configuration.location)?.kind == .file {
                        try FileSystem.remove(configuration.location)
                    }
                    return try ReferenceEngine.open(configuration)
                },
                FaultyBackend("shares-folders", says: "others may write") {
                    configuration throws(StorageError) in
                    _ = chmod(configuration.location, 0o700)
                    return try ReferenceEngine.open(configuration)
                })
        #endif
        SuiteEntry(
            "ERROR-3", .must,
            """
            A call of a task that was cancelled before it throws cancelled, and nothing was \
            done; but close and delete incognito run all the same.
            """
        )
        .tried("every call from a cancelled task", cancelledCalls)
        .tried("close and delete incognito from a cancelled task", endsIfCancelled)
        #if FaultyBackends
            .catches(
                FaultyBackend("ignores-cancellation", says: "no error was thrown") {
                    SavesInOwnTask(base: $0, thenLooks: false)
                },
                FaultyBackend("notices-cancellation-late", says: "the sessions after save") {
                    SavesInOwnTask(base: $0, thenLooks: true)
                },
                FaultyBackend("keeps-incognito-if-cancelled", says: "the task was cancelled") {
                    StopsIfCancelled(base: $0)
                },
                FaultyBackend("stays-open-if-cancelled", says: "expected .closed") {
                    StopsIfCancelled(base: $0, deletes: true)
                })
        #endif
        SuiteEntry(
            "ERROR-4", .must,
            """
            A save that is refused has the effect notApplied, and nothing of its set is there \
            afterwards.
            """
        )
        .tried("contradictions, both partitions, too large, conflict", refusedSaves)
        #if FaultyBackends
            .catches(
                FaultyBackend("applies-what-it-can", says: "is there in part") {
                    RefusesBadly(base: $0) { store, changes, error in
                        var part = SessionChanges()
                        if let first = changes.changes.first { part.add(first) }
                        _ = try? await store.save(part)
                        return error
                    }
                },
                FaultyBackend("says-applied", says: "the effect of a session twice") {
                    RefusesBadly(base: $0) { _, _, error in
                        var error = error
                        error.effect = .applied
                        return error
                    }
                })
        #endif
        SuiteEntry(
            "ERROR-5", .must,
            """
            No error, nor what it holds, shows an address, a title, state or a property of \
            what was saved.
            """
        )
        .tried("every error of an intact store", errorsOfIntactStore)
        #if FaultyBackends
            .catches(
                FaultyBackend("quotes-addresses", says: "shows what was saved as 'url'") {
                    RefusesBadly(base: $0) { _, changes, error in
                        var error = error
                        for case .putTab(let tab, _) in changes.changes {
                            error.message += " \(tab.url)"
                        }
                        return error
                    }
                },
                FaultyBackend("holds-the-changes", says: "shows what was saved as") {
                    RefusesBadly(base: $0) { _, changes, error in
                        var error = error
                        error.underlying = Refusal(changes: changes)
                        return error
                    }
                })
        #endif
        SuiteEntry(
            "ERROR-6", .must,
            """
            Neither errors nor reports about a damaged store show an address, a title, state \
            or a property.
            """, needs: [.files]
        )
        .tried("a store with damaged files", reportsOfDamage)
        #if FaultyBackends
            .catches(
                FaultyBackend("reports-titles", says: "the report about damage shows") {
                    ReportsTitles(base: $0)
                })
        #endif
        SuiteEntry(
            "ERROR-7", .must,
            """
            Every error names its call in 'operation' and, unless it is cancelled, the store in 'location', \
            and its message is a sentence.
            """
        )
        .tried("errors of every call", namedErrors)
        #if FaultyBackends
            .catches(
                FaultyBackend("nameless-errors", says: "names no operation") {
                    RefusesBadly(base: $0) { _, _, error in
                        StorageError(error.code, error.message, effect: error.effect)
                    }
                },
                FaultyBackend("says-no-location", says: "names no location") {
                    RefusesBadly(base: $0) { _, _, error in
                        StorageError(error.code, error.message, operation: error.operation)
                    }
                },
                FaultyBackend("speechless", says: "is no sentence") {
                    RefusesBadly(base: $0) { _, _, error in
                        StorageError(error.code, "error", operation: error.operation)
                    }
                })
        #endif
        SuiteEntry(
            "ERROR-8", .must,
            """
            After a call that was refused the store answers as before, and takes the next \
            save.
            """
        )
        .tried("refusals between saves", usableAfterRefusals)
        #if FaultyBackends
            .catches(FaultyBackend("sulks", says: "restore failed") { Sulks(base: $0) })
        #endif
    }
}
