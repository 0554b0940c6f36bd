import BrowserSessions
import Foundation

/// A file that could not be used, and why.
struct CommandError: Error, Hashable {
    var message: String
}

/// Files that the user named.
enum CommandFile {
    static func report(_ path: String) throws(CommandError) -> BenchReport {
        let bytes = try read(path)
        do throws(BenchDocumentError) {
            return try BenchReport(json: bytes)
        } catch {
            throw CommandError(message: "cannot use '\(path)': \(error)")
        }
    }

    static func read(_ path: String) throws(CommandError) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw CommandError(message: "cannot read '\(path)': \(error.localizedDescription)")
        }
    }

    // MARK: - Writing

    /// Replaces the file at once, or not at all, and durably; a link stays one.
    ///
    /// A file that was there keeps its rights, a new one gets those that the user's new files have.
    static func write(_ bytes: [UInt8], _ path: String) throws(CommandError) {
        do throws(StorageError) {
            if isSpecial(path) { return try writeThrough(bytes, path) }
            let file = resolved(path)
            let status = try FileSystem.status(file)
            if status?.kind == .directory {
                throw StorageError(.unsafeLocation, "it is a folder")
            }
            try replace(file, with: bytes, rights: status?.permissions)
        } catch {
            throw CommandError(message: "cannot write '\(path)': \(error.message)")
        }
    }

    /// Why the file cannot be written, as far as that can be seen without writing it; `nil` if
    /// nothing speaks against it.
    static func obstacle(_ path: String) -> String? {
        guard !isSpecial(path) else { return nil }
        let file = resolved(path)
        let folder = FileSystem.parent(of: file)
        do throws(StorageError) {
            if try FileSystem.status(file)?.kind == .directory { return "'\(path)' is a folder" }
            guard try FileSystem.status(folder)?.kind == .directory else {
                return "'\(path)' cannot be written: there is no folder '\(folder)'"
            }
        } catch {
            return "'\(path)' cannot be written: \(error.message)"
        }
        return access(folder, W_OK | X_OK) == 0
            ? nil : "'\(path)' cannot be written: nothing may be written in '\(folder)'"
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// Terminals, pipes and `/dev/null` are written to, never replaced.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    private static func writeThrough(_ bytes: [UInt8], _ path: String) throws(StorageError) {
        do {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.write(contentsOf: Data(bytes))
            try handle.close()
        } catch {
            throw StorageError(.failed, error.localizedDescription)
        }
    }

    private static func replace(
        _ path: String, with bytes: [UInt8], rights: UInt32?
    ) throws(StorageError) {
        let temporary = "\(path).storagebench-\(getpid())"
        // It can only be left from a process that was killed.
        try FileSystem.remove(temporary)
        do throws(StorageError) {
            try create(temporary)
            let file = try FileDescriptor(opening: temporary, O_WRONLY)
            if let rights, fchmod(file.raw, mode_t(rights)) != 0 {
                throw FileSystem.error("set the rights of", temporary)
            }
            try file.write(bytes)
            try file.syncData()
            try FileSystem.move(temporary, to: path)
        } catch {
            try? FileSystem.remove(temporary)
            throw error
        }
        try FileSystem.syncDirectory(FileSystem.parent(of: path))
    }

    /// The core makes files that only their owner may read; a report is no secret.
    private static func create(_ path: String) throws(StorageError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw FileSystem.error("make", path) }
        close(file)
    }
}
