import BrowserSessions
import Foundation
import StorageEngines

extension RequirementGroup {
    /// Clearing browsing data: nothing of what was removed is left.
    public static let erase = RequirementGroup(
        "ERASE", "Clearing browsing data: nothing of what was removed or replaced is left.")
}

extension ConformanceSuite {
    /// What is left in files.
    @SuiteBuilder static var eraseFiles: [SuiteEntry] {
        SuiteEntry(
            "ERASE-1", .must,
            """
            After erase(.removedData) no file of the store, nor the name of one, holds anything of the sessions, \
            tabs and states that were removed before, in either partition.
            """, needs: [.files, .removalErased], proves: .removalErased
        )
        .tried("a session of earlier runs", EraseCases.removedSession)
        .tried("tabs and states of a session that stays", EraseCases.removedParts)
        .tried("an incognito session", EraseCases.removedIncognito)
        .catches("erases-nothing", says: "of what was removed") {
            $0.on(EraseRequest.self) { _, _ in ForgettingReceipt() }
        }
        .catches("erases-what-was-set-aside", says: "of what was removed") {
            $0.on(EraseRequest.self) { try await $1.erase(.quarantine) }
        }
        .catches(
            .leaving("log-of-both-partitions", "of what was removed", both: true) { word in
                (".debug.log", [UInt8](word.utf8))
            })
        SuiteEntry(
            "ERASE-2", .must,
            "The same of everything that was replaced: attributes, metadata and states.",
            needs: [.files, .removalErased], proves: .removalErased
        )
        .tried("every field of a session", EraseCases.replacedFields)
        .catches(
            .leaving("log-of-titles", "of what was replaced", both: true) { word in
                ("titles", [UInt8](word.utf8))
            })
        SuiteEntry(
            "ERASE-4", .must,
            """
            After erase(.removedData) nothing is set aside any more, and no file holds anything of what was: \
            neither in the report nor in a file.
            """, needs: [.files, .removalErased]
        )
        .tried("damage, repair, removal", EraseCases.setAside)
        .catches("keeps-what-was-set-aside", says: "set aside") { configuration, open in
            let path = "\(configuration.location)/quarantine"
            return try open(configuration).on(EraseRequest.self) { erase, store in
                let copy = "\(path) kept"
                try? FileSystem.copy(path, to: copy)
                let receipt = try await erase.perform(on: store)
                try? FileSystem.remove(path)
                try? FileSystem.copy(copy, to: path)
                try? FileSystem.remove(copy)
                return receipt
            }
        }
        SuiteEntry(
            "ERASE-6", .must,
            """
            After a kill or a power cut at any moment of erase(.removedData) everything current is there and reads \
            as no damage; what was left of the rest is gone with the next erase(.removedData).
            """, needs: watched + [.removalErased]
        )
        .tried("cuts within an erasure", timeLimit: longTime, ErasureCuts.cuts)
        .catches("empties-before-it-fills", says: "is there") { $0.emptyingAndFilling() }
        SuiteEntry(
            "ERASE-8", .must,
            """
            Where a change of a file or of a name, or a sync, fails within erase(.removedData), nothing current \
            is lost: without a failure the store opens, holds every set that was acknowledged, and takes \
            the next.
            """,
            needs: [
                .files, .processes, .processCrash, .ownProcess, .watchedCalls, .removalErased,
            ]
        )
        .tried("an input/output error", timeLimit: longTime) {
            try await failing($0, .fail(EIO), isForever: false)
        }
        .tried("a broken disk", timeLimit: longTime) {
            try await failing($0, .fail(EIO), isForever: true)
        }
        .tried("a full disk", timeLimit: longTime) {
            try await failing($0, .fail(ENOSPC), isForever: true)
        }
        .catches("empties-and-may-not-fill", says: "was acknowledged") { $0.emptyingAndFilling() }
        SuiteEntry(
            "ERASE-7", .must,
            """
            A store with losses that were not accepted, other than of restore points, which go anyway, refuses \
            erase(.removedData) as corrupted and stays as it is; once it is repaired it erases.
            """, needs: [.files, .erasure]
        )
        .tried(each: [FileDamage.flip, .truncate], EraseCases.refusesDamage)
        .catches("repairs-before-it-erases", says: "no error was thrown") {
            $0.before(EraseRequest.self) { _, store in _ = try await store.repair() }
        }
        .catches("purges-and-refuses", says: "is not as before") {
            $0.before(EraseRequest.self) { erase, store in try await store.erase(.quarantine) }
        }
    }

    /// Makes each of many file changes fail while a process saves and erases.
    private static func failing(
        _ context: CaseContext, _ effect: InjectedFault.Effect, isForever: Bool
    ) async throws {
        try await FaultSweep(
            calls: .changes, effect: effect, isForever: isForever, prepared: 3, sets: 2,
            erases: true,
            most: context.amount(15, full: 400, long: 2000)
        ).run(context)
    }

    /// What the store returns.
    @SuiteBuilder static var eraseSessions: [SuiteEntry] {
        SuiteEntry(
            "ERASE-3", .must,
            """
            After erase(.removedData) no restore point is listed, and each answers as one that was never \
            taken; the next opening takes one again.
            """, needs: [.reopening, .restorePoints, .erasure]
        )
        .tried("restore points before and after", EraseCases.restorePoints)
        .catches("erases-no-point", says: "restore points are listed") {
            $0.on(EraseRequest.self) { _, _ in ForgettingReceipt() }
        }
        .catches("hides-points", says: "the restore point that was erased") {
            let areHidden = FaultMemory(false)
            return $0.on(EraseRequest.self) { _, _ in
                areHidden.set(true)
                return ForgettingReceipt()
            }
            .answering(RestorePointsRequest.self) { if areHidden.value { $0 = [] } }
        }
        SuiteEntry(
            "ERASE-5", .must,
            """
            erase(.removedData) changes nothing that is current, in either partition: sessions, states, the number of \
            the last set and the commit ids are as before, at once and at the next opening, and saves go on.
            """, needs: [.erasure], proves: .erasure
        )
        .tried("both partitions", EraseCases.keepsCurrent)
        .tried("a store without anything", EraseCases.emptyStore)
        .catches("erases-a-state", says: "is not as before") {
            $0.after(EraseRequest.self) { _, store in
                for session in try await store.sessions() {
                    guard let key = try await store.stateKeys(in: session).first else {
                        continue
                    }
                    _ = try await store.save(SessionChanges(.removeState(key)))
                    break
                }
            }
        }
        .catches("erases-incognito", says: "is not as before") {
            $0.after(EraseRequest.self) { _, store in try await store.deleteIncognito() }
        }
        .catches("erases-with-a-set", says: "the number") {
            $0.after(EraseRequest.self) { _, store in
                var changes = SessionChanges()
                changes.commitID = .random()
                _ = try await store.save(changes)
            }
        }
    }
}
