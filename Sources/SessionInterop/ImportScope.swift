/// Which files of a browser's profile an import takes.
public enum ImportScope: String, Hashable, Sendable, CaseIterable {
    /// What the browser itself would restore at its next start: of each kind of file the newest that
    /// is valid. The others are named in ``ImportReport/untaken``.
    case restorable
    /// Every file with sessions, also backups, older ones, and windows of installed apps.
    case everything
}
