/// The files of a browser's profile that an import takes.
public enum ImportScope: String, Hashable, Sendable, CaseIterable {
    /// The files that the browser would restore at its next start: the newest valid file of each
    /// kind. ``ImportReport/untaken`` lists the others.
    case restorable
    /// Every file with sessions, including backups, older files, and windows of installed apps.
    case everything
}
