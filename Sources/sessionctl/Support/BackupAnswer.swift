import BrowserSessions
import ToolSupport

/// What `backup` made, for people and as JSON.
struct BackupAnswer: Encodable {
    var path: String
    var backend: String
    var changeSet: UInt64
    var bytes: Int
    var asOf: String
    /// The digest of what it holds; `nil` if it could not be read back.
    var sha256: String?
    /// Whether a reader of the store had the same digest; `false` if the store went on meanwhile.
    var isCompared: Bool
    /// The older backups that were removed.
    var removed: [String]

    init(_ backup: StoreBackup, _ check: BackupCheck, removed: [String] = []) {
        path = backup.path
        backend = backup.backend
        changeSet = backup.sequence
        bytes = backup.bytes
        asOf = backup.asOf.inUTC
        sha256 = check.digest
        isCompared = check.isCompared
        self.removed = removed
    }

    var lines: [String] {
        let compared =
            isCompared
            ? "the same as the store's"
            : "not compared: the store has changed since, and the backup was read as a whole"
        return [
            "\(path): \(bytes) bytes, as of \(asOf), change set \(changeSet)",
            sha256.map { "\($0): \(compared)" } ?? "not read back",
        ] + removed.map { "removed: \($0)" }
    }
}
