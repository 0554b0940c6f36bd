import BrowserSessions
import Foundation
import StorageEngines

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
        .catches("empties-what-is-damaged", says: "that was cut off saved") { configuration, open in
            // Cuts off a damaged log before its content is anywhere else.
            let path = ReferenceLog.file(in: "\(configuration.location)/regular")
            let bytes = try FileSystem.exists(path) ? try FileSystem.read(path) : []
            if ReferenceLog(bytes: bytes).unfinishedBytes > 0 {
                let file = try PosixFile(opening: path, flags: O_RDWR)
                try file.truncate(to: 0)
                try file.syncData()
                try FileSystem.replace(path, with: bytes)
            }
            return try open(configuration)
        }
        SuiteEntry(
            "POWER-16", .must,
            """
            After a power cut at any moment of taking and releasing restore points each point that is \
            there shows exactly the sets up to its number, those that were taken are there, and those \
            that were released are not.
            """, needs: watched + [.takesRestorePoints]
        )
        .tried("cuts among points", timeLimit: longTime, cutsAmongPoints(.ordered))
        .catches("takes-points-without-a-sync", says: "that was taken is gone") {
            $0.on(TakeRestorePointRequest.self) { take, _ in
                RestorePoint(
                    id: RestorePointID(rawValue: 1), takenAt: .now(), reason: .named,
                    name: take.name,
                    isPinned: take.pinned)
            }
        }
        .catches("mixes-points", says: "at a restore point (named)") {
            $0.before(RestoreRequest.self) { restore, store in
                if restore.version != .current, let newest = try await store.restorePoints().first {
                    restore.version = .point(newest.id)
                }
            }
        }
        SuiteEntry(
            "POWER-10", .should,
            "Of what a kill or a power cut interrupted no file is left once the store was opened again.",
            needs: watched
        )
        .tried("kill, opening, cut", timeLimit: longTime, LeftoverFiles.cuts)
        .catches("leaves-drafts", says: "a cut leaves the file", engine: .writesAtomically)
        SuiteEntry(
            "POWER-11", .must,
            """
            A kill while a store with thousands of tabs is opened, saved to or closed is no damage: all \
            tabs are there, and nothing is set aside.
            """, needs: watched
        )
        .tried("kills among all changes", timeLimit: longTime, ManyTabs.kills)
        .catches("rewrites-its-log-in-place", says: "tabs are there", engine: .recoversInPlace)
    }
}
