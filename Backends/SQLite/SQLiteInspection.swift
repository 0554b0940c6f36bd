internal import BrowserSessions
internal import CSQLite

/// Looks at the files before SQLite does, because SQLite takes some damage for an empty database
/// and changes files by opening them.
///
/// Closing any descriptor of a file drops the locks that this process has on it, so this must not
/// run on files of a store that is open. The adapter's own lock sees to that.
enum SQLiteInspection {
    /// Whether the directory holds nothing of this engine, apart from an unfinished draft.
    static func isUnused(_ directory: String) throws(StorageError) -> Bool {
        let name = SQLiteFormat.fileName
        let names = try FileSystem.contents(of: directory)
        if names.contains(name) { return false }
        let draft = name + ".new"
        guard let rest = names.first(where: { $0.hasPrefix(name) && !$0.hasPrefix(draft) }) else {
            return true
        }
        throw SQLiteErrors.corrupted("the file is missing, but \(rest) is there")
    }

    /// Checks the database's header and its log. Returns notes.
    static func inspect(_ path: String) throws -> [String] {
        guard let status = try FileSystem.status(path), status.kind == .file else {
            throw StorageError(.unsafeLocation, "'\(path)' is not a plain file", operation: "open")
        }
        let header = try FileDescriptor(opening: path, CSQLITE_READ).read(100, at: 0)
        guard header.count == 100, header.starts(with: "SQLite format 3\0".utf8) else {
            throw SQLiteErrors.corrupted("the header is damaged")
        }
        guard number(header, at: 68) == SQLiteFormat.applicationID else {
            throw SQLiteErrors.incompatible("made by another application")
        }
        try check(version: number(header, at: 60))
        return try logNotes(path + "-wal")
    }

    /// What SQLite will leave out of the log. Several whole commits behind a break are damage: with
    /// saves that are synced, only the last commit can be torn. Unsynced ones can look the same
    /// after a power cut; they are salvaged as well, and what does not fit together is reported.
    private static func logNotes(_ path: String) throws -> [String] {
        guard try FileSystem.exists(path) else { return [] }
        let log = try SQLiteLog(FileDescriptor(opening: path, CSQLITE_READ))
        let stranded = log.strandedCommits
        if stranded > 1 {
            throw SQLiteErrors.corrupted(
                "\(stranded) whole commits stand behind a break in the log")
        }
        let count = log.frames.count - log.committedCount
        return count == 0 ? [] : ["left out \(count) pages of writes that had not ended"]
    }

    static func check(version: Int) throws(StorageError) {
        if version == SQLiteFormat.version { return }
        throw SQLiteErrors.incompatible(
            "format \(version), but this version of the package knows \(SQLiteFormat.version)")
    }

    private static func number(_ bytes: [UInt8], at place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
