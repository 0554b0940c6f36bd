import BrowserSessions
import Foundation
import StorageEngines

extension RequirementGroup {
    /// Failing calls of the file system: nothing acknowledged is lost, and an error is never taken
    /// for absence.
    public static let fault = RequirementGroup(
        "FAULT",
        """
        Calls of the file system that fail: nothing acknowledged is lost, and an error is never taken \
        for nothing.
        """)
}

extension ConformanceSuite {
    private static let needs: [Capability] = [
        .files, .processes, .processCrash, .ownProcess, .watchedCalls,
    ]

    @SuiteBuilder static var fault: [SuiteEntry] {
        SuiteEntry(
            "FAULT-1", .must,
            """
            A change of a file or of a name, or a sync, that fails once is the error of the save that \
            needed it, or does no harm: without a failure the store opens, holds exactly the sets up to \
            one, none that was acknowledged is missing, none is there that was refused as not applied, \
            nothing reads as damage, and saves go on.
            """, needs: needs
        )
        .tried(
            "an input/output error in a new store", timeLimit: longTime,
            failing(.changes, .fail(EIO), prepared: 0)
        )
        .tried(
            "an input/output error in a used store", timeLimit: longTime,
            failing(.changes, .fail(EIO), prepared: 3)
        )
        .tried(
            "a full disk for a moment", timeLimit: longTime,
            failing(.changes, .fail(ENOSPC), prepared: 3)
        )
        .tried(
            "an exceeded quota for a moment", timeLimit: longTime,
            failing(.changes, .fail(EDQUOT), prepared: 3)
        )
        .catches("hides-failed-writes", says: "was acknowledged") {
            $0.refused(for: StorageError.Code.allCases) { save, _, _ in
                SaveReceipt(sequence: 1, durability: save.durability)
            }
        }
        SuiteEntry(
            "FAULT-2", .must,
            "The same where the disk is full, or broken, from a moment on until the store is closed.",
            needs: needs
        )
        .tried(
            "a full disk", timeLimit: longTime,
            failing([.writes, .lengths, .names], .fail(ENOSPC), true, prepared: 3)
        )
        .tried(
            "a broken disk", timeLimit: longTime, failing(.changes, .fail(EIO), true, prepared: 3)
        )
        .catches("wants-to-end-well", says: "cannot be opened") { try openMarked($0, $1) }
        SuiteEntry(
            "FAULT-3", .must, "The same where a write writes less than it should.", needs: needs
        )
        .tried("a short write", timeLimit: longTime, failing(.writes, .shorten, prepared: 3))
        .tried(
            "short writes only", timeLimit: longTime, failing(.writes, .shorten, true, prepared: 3)
        )
        .catches("believes-in-whole-writes", says: "not intact but salvaged", engine: .writesOnce)
        SuiteEntry(
            "FAULT-4", .must,
            """
            The same where a look at what is there fails, as opening a file, listing a directory or \
            asking for a status: an error is never taken for nothing.
            """, needs: needs
        )
        .tried(
            "a look that fails once", timeLimit: longTime, failing(.looks, .fail(EIO), prepared: 3)
        )
        .tried(
            "no right to look", timeLimit: longTime,
            failing(.looks, .fail(EACCES), true, prepared: 3)
        )
        .tried(
            "no descriptors left", timeLimit: longTime,
            failing(.looks, .fail(EMFILE), true, prepared: 3)
        )
        .catches(
            "takes-errors-for-nothing", says: "not intact but salvaged",
            engine: .takesErrorsForNothing)
        SuiteEntry(
            "FAULT-5", .must,
            """
            The same where a read of what is in a file fails, or reads less than it should; and while it \
            fails, what a store gives back is whole, or an error.
            """, needs: needs
        )
        .tried(
            "a read that fails once", timeLimit: longTime, failing(.reads, .fail(EIO), prepared: 3)
        )
        .tried(
            "an unreadable disk", timeLimit: longTime,
            failing(.reads, .fail(EIO), true, prepared: 3)
        )
        .tried(
            "short reads only", timeLimit: longTime, failing(.reads, .shorten, true, prepared: 3)
        )
        .catches("opens-empty-where-it-cannot-read", says: "a session is not there") {
            configuration, open in
            do {
                return try open(configuration)
            } catch {
                configuration.location += "/spare"
                return try open(configuration)
            }
        }
    }

    private static func failing(
        _ calls: InjectedFault.Calls, _ effect: InjectedFault.Effect, _ isForever: Bool = false,
        prepared: Int
    ) -> @Sendable (CaseContext) async throws -> Void {
        { context in
            try await FaultSweep(
                calls: calls, effect: effect, isForever: isForever, prepared: prepared,
                sets: context.amount(4, full: 4, long: 450),
                // A store queries files more often than it writes; all its queries fail once.
                most: context.amount(
                    calls != .looks ? 8 : isForever ? 40 : 140, full: 150, long: 1000)
            ).run(context)
        }
    }
}
