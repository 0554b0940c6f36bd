import BrowserSessions
import StorageEngines

extension RequirementGroup {
    /// Backups of stores that are open: whole, and nothing else is touched.
    public static let backup = RequirementGroup(
        "BACKUP", "Backups, also of stores that are open: whole, and nothing else is touched.")
}

extension ConformanceSuite {
    @SuiteBuilder static var backup: [SuiteEntry] {
        SuiteEntry(
            "BACKUP-1", .must,
            """
            A backup is a store of what was saved before, without incognito sessions, and says what it is; \
            one that is there is replaced as a whole. Its digest is that of the sessions alone. No file of \
            the store changes, and none is left beside the backup.
            """, needs: [.files, .opensReaders]
        )
        .tried("backups among saves", BackupCases.holdsWhatWasSaved)
        .catches(backup: "keeps-the-first-backup", says: "the last set of a backup") {
            try StoreBackup.found(at: $1) ?? LiveReference.backUp($0, to: $1)
        }
        SuiteEntry(
            "BACKUP-2", .must,
            """
            A path that is the store's, in it, or of files that no backup has, and a backup that was saved \
            to, are unsafeLocation; what was no store, is notFound. All stays as it is.
            """, needs: [.files, .opensReaders]
        )
        .tried("stores, files of others, backups that were used", BackupCases.refuses)
        .catches(backup: "backs-up-over-anything", says: "a backup to") {
            if $1 != $0.location { try FileSystem.remove($1) }
            return try LiveReference.backUp($0, to: $1)
        }
        SuiteEntry(
            "BACKUP-3", .must,
            """
            After the files of a copy of a store were written over its own, one after the other, one of the \
            states comes back as a whole; if it is not the copy's, a report says so.
            """, needs: [.reopening, .files, .powerLoss]
        )
        .tried(
            each: [.closedOverClosed, .openOverClosed, .closedOverKilled], BackupCases.copiedOver
        )
        .catches("keeps-titles-elsewhere", says: "were mixed") { configuration, open in
            try open(configuration).keepingTitles(in: "\(configuration.location).titles")
        }
        SuiteEntry(
            "BACKUP-4", .should, "The same where the store is open meanwhile, and saves on.",
            needs: [.reopening, .files, .powerLoss]
        )
        .tried(each: [.closedOverOpen, .openOverOpen], BackupCases.copiedOver)
    }
}
