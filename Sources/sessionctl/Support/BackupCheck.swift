import BackendSelection
import BrowserSessions
import SessionInterop
import ToolSupport

/// What reading a backup, and the store beside it, showed.
struct BackupCheck {
    /// The digest of what the backup holds; `nil` if it could not be read back.
    private(set) var digest: String?
    /// Whether a reader of the store had the same digest; `false` if the store went on meanwhile.
    private(set) var isCompared = false
    /// Why it is not known whether the backup is what the store is. That is no damage: readers need space
    /// for temporary files.
    private(set) var problem: StorageError?

    var isInterrupted: Bool { problem?.code == .cancelled }

    /// Reads all of a backup, as anyone would who needs it, and compares it with the store. Throws
    /// `corrupted` if the backup is not what it should be.
    init(_ backup: StoreBackup, of selection: ResolvedSelection) async throws {
        do {
            let store = try await selection.backend.open(
                StorageConfiguration(location: backup.path, options: StorePurpose.look.options))
            let digest = try await store.whileOpen { try await ContentDigest.compute(of: $0) }
            self.digest = digest
            let reader = try await selection.backend.openReader(selection.configuration)
            isCompared = reader.sequence == backup.sequence
            let isSame = isCompared
            let found = try await reader.whileOpen { store in
                isSame ? try await ContentDigest.compute(of: store) : digest
            }
            guard found == digest else {
                throw StorageError(
                    .corrupted,
                    """
                    the backup at '\(backup.path)' has digest \(digest), and the store \(found) at the same \
                    change set; do not rely on it
                    """, operation: "back up")
            }
        } catch let error as StorageError {
            if error.code == .corrupted { throw error }
            (isCompared, problem) = (false, error)
        }
    }

    /// Throws if something is not known of a backup that is whole and has its name.
    func conclude(_ path: String, _ end: String = "") throws {
        guard let problem else { return }
        let reason = isInterrupted ? "it was interrupted" : problem.message
        throw StorageError(
            isInterrupted ? .failed : problem.code,
            "the backup at '\(path)' is whole, and was not compared with the store: \(reason)\(end)",
            operation: "back up")
    }
}
