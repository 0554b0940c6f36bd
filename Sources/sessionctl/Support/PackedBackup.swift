import BrowserSessions
import StorageEngines

/// A backup as one file, a tar archive.
///
/// ```text
/// NAME.tar               the archive, once it is whole: a folder NAME with a backup
/// NAME.tar.unfinished    the folder in which it is made: the backup, and the archive
/// ```
/// The folder around it is opened once, and everything is done from there, so that a folder that is
/// renamed leads no file elsewhere.
struct PackedBackup {
    static let suffix = ".tar"
    private static let archive = "archive"
    private static let packed = "packed"

    private let fileName: String
    private let draft: BackupDraft
    private let isReplacing: Bool

    /// The folder that gets packed.
    var folder: String { "\(draft.directory.pathForLibraries)/\(Self.packed)" }

    /// Begins an archive. Throws, and changes nothing, if the path cannot hold one of the store.
    init(_ path: String, of store: String) throws(StorageError) {
        let fileName = PathText.names(of: path).last ?? ""
        guard !["", ".", ".."].contains(fileName.dropLast(Self.suffix.count)) else {
            throw StorageError(
                .invalidConfiguration, "'\(path)' has no name before '\(Self.suffix)'; give it one")
        }
        var isReplacing = false
        draft = try BackupDraft(of: path, from: store) { parent throws(StorageError) in
            isReplacing = try parent.has(fileName)
            guard isReplacing, let problem = try Self.problem(of: fileName, in: parent) else {
                return
            }
            throw StorageError(
                .unsafeLocation,
                "'\(path)' is there and is no backup that was packed: \(problem); name another file",
                operation: "back up")
        }
        (self.fileName, self.isReplacing) = (fileName, isReplacing)
    }

    /// Returns why a file is no packed backup, or has something else, too; `nil` if all of it is a backup.
    private static func problem(of name: String, in parent: any FileDirectory) throws(StorageError)
        -> String?
    {
        // Opening a pipe would wait for its other end.
        guard try parent.status(of: name)?.kind == .file else { return "it is no file" }
        let archive = try parent.open(name, mode: .read)
        let members: [TarMember]
        do throws(StorageError) {
            var reader = try TarReader(archive)
            members = try reader.members()
        } catch {
            guard error.code == .incompatibleFormat else { throw error }
            return error.message
        }
        let folder = members.first.map { PathText.names(of: $0.path).first ?? "" } ?? ""
        let mark = members.first { $0.path == "\(folder)/\(StoreBackup.markName)" }
        guard let mark, mark.size <= StoreBackup.largestMark,
            let files = StoreBackup.files(ofMark: try archive.read(mark.size, at: mark.offset))
        else { return "it has no mark of one" }
        let other = members.first { member in
            let own = member.path.hasPrefix(folder + "/")
            let path = String(member.path.utf8.dropFirst(folder.utf8.count + 1)) ?? ""
            if member.isDirectory { return !own && member.path != folder }
            return member != mark && (!own || files[path] != member.size)
        }
        return other.map { "'\($0.path)' is no file of it" }
    }

    func discard() { draft.discard() }

    /// Packs the folder, reads the archive back, and gives it its name. Returns its size in bytes.
    func finish() throws(StorageError) -> Int {
        let directory = draft.directory
        // Only its owner may read it.
        let file = try directory.open(Self.archive, mode: .new)
        var writer = TarWriter(to: file, user: directory.user)
        try writer.add(
            try directory.directory(Self.packed), as: String(fileName.dropLast(Self.suffix.count)))
        try writer.finish()
        try file.syncData()
        let written = try directory.open(Self.archive, mode: .read)
        var reader = try TarReader(written)
        guard try reader.members() == writer.members else {
            throw StorageError(
                .corrupted, "the archive was read back and is not what was packed",
                operation: "back up")
        }
        try directory.rename(
            Self.archive, to: fileName, in: draft.parent, replacing: isReplacing)
        try draft.parent.sync()
        return try written.size()
    }
}
