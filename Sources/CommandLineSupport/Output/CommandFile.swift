import BrowserSessions
import Foundation
import StorageEngines

/// A file that could not be used, and the reason.
package struct CommandError: Error, Hashable {
    package var message: String

    package init(message: String) { self.message = message }
}

/// A namespace for reading and writing files that the user named.
package enum CommandFile {
    package static func read(_ path: String) throws(CommandError) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw CommandError(message: "cannot read '\(path)': \(error.localizedDescription)")
        }
    }

    // MARK: - Writing

    /// Replaces the file atomically and durably. A link remains a link.
    ///
    /// An existing file keeps its permissions. A new file gets the user's default permissions.
    package static func write(_ bytes: [UInt8], _ path: String) throws(CommandError) {
        do throws(StorageError) {
            if isSpecial(path) {
                return try PosixFile(opening: path, flags: O_WRONLY, followingLink: true).write(
                    bytes)
            }
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

    /// Returns why the file cannot be written, or `nil` if nothing prevents it. Tries this next to
    /// the file, which stays as it is, or absent.
    package static func obstacle(_ path: String) -> String? {
        guard !isSpecial(path) else { return nil }
        let file = resolved(path)
        let folder = FileSystem.parent(of: file)
        do throws(StorageError) {
            if try FileSystem.status(file)?.kind == .directory { return "'\(path)' is a folder" }
            guard try FileSystem.status(folder)?.kind == .directory else {
                return "'\(path)' cannot be written: there is no folder '\(folder)'"
            }
            let temporary = temporary(file)
            try create(temporary)
            try FileSystem.remove(temporary)
        } catch {
            return "'\(path)' cannot be written: \(error.message)"
        }
        return nil
    }

    /// Resolves all links in the path.
    package static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// Whether the path is a terminal, a pipe, or `/dev/null`, which are written to but never replaced.
    package static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    private static func replace(
        _ path: String, with bytes: [UInt8], rights: UInt32?
    ) throws(StorageError) {
        let temporary = temporary(path)
        do throws(StorageError) {
            try create(temporary)
            let file = try PosixFile(opening: temporary, flags: O_WRONLY)
            if let rights, fchmod(file.raw, mode_t(rights)) != 0 {
                throw StorageError.system("set the rights of", path: temporary)
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

    /// Returns the path next to the file, where new content is written first.
    private static func temporary(_ path: String) -> String { "\(path).new-\(getpid())" }

    /// Creates the file. Others may read it, because a report is not a secret, unlike files of the core.
    private static func create(_ path: String) throws(StorageError) {
        // Only a killed process leaves one.
        try FileSystem.remove(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw StorageError.system("make", path: path) }
        close(file)
    }
}
