import BackendSelection
import BrowserSessions
import SessionInterop
import ToolSupport

/// Reads a backup, and the store beside it.
struct BackupCheck {
    let backup: StoreBackup
    let selection: ResolvedSelection

    /// Reads all of a backup, as anyone would who needs it.
    func digest() async throws -> String {
        let store = try await selection.backend.open(
            StorageConfiguration(location: backup.path, options: StorePurpose.look.options))
        return try await store.whileOpen { try await ContentDigest.compute(of: $0) }
    }

    /// Compares the digest with that of a reader of the store. Returns `false` if the reader shows
    /// another change set.
    func compare(_ digest: String) async throws -> Bool {
        let reader = try await selection.backend.openReader(selection.configuration)
        let isSame = reader.sequence == backup.sequence
        let found = try await reader.whileOpen { store in
            isSame ? try await ContentDigest.compute(of: store) : digest
        }
        guard found == digest else {
            throw StorageError(
                .corrupted,
                """
                the backup at '\(backup.path)' has digest \(digest), and the store \(found) at the same change \
                set; do not rely on it
                """, operation: "back up")
        }
        return isSame
    }
}
