import BrowserSessions
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
        .catches("creates-anyway", says: "no error was thrown") { configuration, open in
            configuration.options["create"] = nil
            return try open(configuration)
        }
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
        .catches("replaces-files", says: "opening at 'file'") { configuration, open in
            if try FileSystem.status(configuration.location)?.kind == .file {
                try FileSystem.remove(configuration.location)
            }
            return try open(configuration)
        }
        SuiteEntry(
            "ERROR-3", .must,
            """
            A call of a task that was cancelled before it throws cancelled, and nothing was \
            done; but close and delete incognito run all the same.
            """
        )
        .tried("every call from a cancelled task", cancelledCalls)
        .tried("close and delete incognito from a cancelled task", endsIfCancelled)
        .catches("ignores-cancellation", says: "no error was thrown") {
            $0.on(SaveRequest.self) { save, store in
                try await Task.detached { [save] in try await save.perform(on: store) }.value
            }
        }
        .catches("notices-cancellation-late", says: "the sessions after save") {
            $0.on(SaveRequest.self) { save, store in
                let wasCancelled = Task.isCancelled
                let saving = Task.detached { [save] in try await save.perform(on: store) }
                let receipt = try await saving.value
                guard !wasCancelled else {
                    throw StorageError(.cancelled, "the task was cancelled", operation: "save")
                }
                return receipt
            }
        }
        .catches("keeps-incognito-if-cancelled", says: "the task was cancelled") {
            $0.on(DeleteIncognitoRequest.self) { delete, store in
                guard !Task.isCancelled else {
                    throw StorageError(.cancelled, "the task was cancelled")
                }
                try await delete.perform(on: store)
            }
        }
        .catches("stays-open-if-cancelled", says: "expected .closed") {
            $0.on(CloseRequest.self) { if !Task.isCancelled { try await $0.perform(on: $1) } }
        }
        SuiteEntry(
            "ERROR-4", .must,
            """
            A save that is refused has the effect notApplied, and nothing of its set is there \
            afterwards.
            """
        )
        .tried("contradictions, both partitions, too large, conflict", refusedSaves)
        .catches("applies-what-it-can", says: "is there in part") {
            $0.refused(for: StorageError.Code.allCases) { save, store, error in
                let part = SessionChanges(all: Array(save.changes.changes.prefix(1)))
                _ = try? await store.save(part)
                throw error
            }
        }
        .catches("says-applied", says: "the effect of a session twice") {
            $0.refusing { error, _ in error.effect = .applied }
        }
        SuiteEntry(
            "ERROR-5", .must,
            """
            No error, nor what it holds, shows an address, a title, state or a property of \
            what was saved.
            """
        )
        .tried("every error of an intact store", errorsOfIntactStore)
        .catches("quotes-addresses", says: "shows what was saved as 'url'") {
            $0.refusing { error, changes in
                for case .put(.tab(let tab, _)) in changes.changes {
                    error.message += " \(tab.url)"
                }
            }
        }
        .catches("holds-the-changes", says: "shows what was saved as") {
            $0.refusing { $0.underlying = Refusal(changes: $1) }
        }
        SuiteEntry(
            "ERROR-6", .must,
            """
            Neither errors nor reports about a damaged store show an address, a title, state \
            or a property.
            """, needs: [.files]
        )
        .tried("a store with damaged files", reportsOfDamage)
        .catches("reports-titles", says: "the report about damage shows") {
            $0.on(CheckRequest.self) { check, store in
                var report = try await check.perform(on: store)
                for id in (try? await store.sessions()) ?? [] {
                    guard let session = try? await store.restore(id) else { continue }
                    report.notes.append("session '\(session.attributes.title)' was read")
                    report.notes += session.tabs.map { "tab '\($0.title)' was read" }
                }
                return report
            }
        }
        SuiteEntry(
            "ERROR-7", .must,
            """
            Every error names its call in 'operation' and, unless it is cancelled, the store in 'location', \
            and its message is a sentence.
            """
        )
        .tried("errors of every call", namedErrors)
        .catches("nameless-errors", says: "names no operation") {
            $0.refusing { error, _ in error.operation = "" }
        }
        .catches("says-no-location", says: "names no location") {
            $0.refusing { error, _ in error.location = nil }
        }
        .catches("speechless", says: "is no sentence") {
            $0.refusing { error, _ in error.message = "error" }
        }
        SuiteEntry(
            "ERROR-8", .must,
            """
            After a call that was refused the store answers as before, and takes the next \
            save.
            """
        )
        .tried("refusals between saves", usableAfterRefusals)
        .catches("sulks", says: "restore failed") {
            let isHurt = FaultMemory(false)
            return $0.refusing { _, _ in isHurt.set(true) }.before(RestoreRequest.self) {
                restore, _ in
                if isHurt.value {
                    throw StorageError(.failed, "the last save failed", operation: "restore")
                }
            }
        }
    }
}
