import BrowserSessions
import ChildProcesses
import CommandLineSupport
import Foundation
import LocalFiles
import StorageEngines

/// A backup as one file, which the system's `tar` packs.
///
/// ```text
/// NAME.tar               the archive, once it is whole: a folder NAME with a backup
/// NAME.tar.unfinished    the folder in which it is made: the backup, the archive, and what was read back
/// ```
struct PackedBackup {
    static let suffix = ".tar"
    private static let archive = "archive.tar"
    private static let readBack = "read-back"

    private let path: String
    private let draft: BackupDraft
    private let isReplacing: Bool

    private var name: String {
        String((path.split(separator: "/").last ?? "").dropLast(Self.suffix.count))
    }

    /// The folder that gets packed.
    var folder: String { draft.directory.path(of: name) }

    /// Begins an archive. Throws, and changes nothing, if the path cannot hold one of the store.
    init(_ path: String, of store: String) throws {
        try Tar.requireProgram()
        isReplacing = try FileSystem.exists(path)
        if isReplacing { try Self.requireBackup(path) }
        draft = try BackupDraft(of: path, from: store)
        self.path = path
    }

    /// Throws unless a backup that was packed is there.
    private static func requireBackup(_ path: String) throws {
        let names = Tar.output(["-tf", path])?.split(separator: "\n") ?? []
        let mark = names.first {
            let parts = $0.split(separator: "/").filter { $0 != "." }
            return parts.count == 2 && parts[1] == StoreBackup.markName
        }
        let json = mark.flatMap { Tar.output(["-xOf", path, "--", String($0)]) }
        guard try FileSystem.status(path)?.kind == .file, let json,
            StoreBackup.isMark(Array(json.utf8))
        else {
            throw StorageError(
                .unsafeLocation,
                "'\(path)' is there and is no backup that was packed; name another file",
                operation: "back up")
        }
    }

    func discard() { draft.discard() }

    /// Packs the folder, reads the archive back, and gives it its name. Returns its size in bytes.
    func finish() async throws -> Int {
        let directory = draft.directory
        // Only its owner may read it.
        _ = try directory.open(Self.archive, mode: .new)
        let archive = directory.path(of: Self.archive)
        try await Tar.run(["-cf", archive, "-C", directory.path, "./" + name])
        try directory.makeDirectory(Self.readBack)
        let readBack = directory.path(of: Self.readBack)
        try await Tar.run(["--no-same-owner", "-xf", archive, "-C", readBack])
        if let difference = try Self.difference(
            try directory.directory(name), try directory.directory(Self.readBack).directory(name))
        {
            throw StorageError(
                .corrupted,
                "the archive was read back and is not what was packed: \(difference); do not rely on 'tar'",
                operation: "back up")
        }
        let file = try directory.open(Self.archive, mode: .read)
        try file.syncData()
        let size = try file.size()
        let parent = try PosixDirectory(opening: FileSystem.parent(of: path), followingLink: true)
        try directory.rename(
            Self.archive, to: name + Self.suffix, in: parent, replacing: isReplacing)
        try parent.sync()
        return size
    }

    /// Returns the first difference between two folders; `nil` if there is none.
    private static func difference(
        _ one: any FileDirectory, _ other: any FileDirectory
    ) throws(StorageError) -> String? {
        let names = try one.names()
        guard try other.names() == names else { return "'\(one.path)' has other names" }
        for name in names {
            let kind = try one.status(of: name)?.kind
            guard try other.status(of: name)?.kind == kind else {
                return "'\(name)' has another kind"
            }
            if kind == .directory {
                let inner = try difference(one.directory(name), other.directory(name))
                if let inner { return inner }
            } else if try !areSame(one.open(name, mode: .read), other.open(name, mode: .read)) {
                return "'\(name)' has other bytes"
            }
        }
        return nil
    }

    private static func areSame(_ one: any OpenFile, _ other: any OpenFile) throws(StorageError)
        -> Bool
    {
        var place = 0
        while true {
            let piece = try one.read(1 << 20, at: place)
            guard try other.read(1 << 20, at: place) == piece else { return false }
            if piece.isEmpty { return true }
            place += piece.count
        }
    }
}

/// The program `tar` of the system.
private enum Tar {
    private static let start = ["/usr/bin/env", "tar"]

    static func requireProgram() throws(StorageError) {
        guard output(["--version"]) == nil else { return }
        throw StorageError(
            .unavailable,
            "there is no program 'tar' to pack a backup with; install it, or name a folder",
            operation: "back up")
    }

    /// Returns what it prints; `nil` if it fails.
    static func output(_ arguments: [String]) -> String? {
        RunningProgram.output(of: start + arguments)
    }

    /// Runs it to its end, which a cancellation hastens.
    static func run(_ arguments: [String]) async throws {
        let program = try RunningProgram(
            start + arguments, output: .pipe, messages: .output)
        let messages = await withTaskCancellationHandler {
            program.readToEnd()
        } onCancel: {
            program.send(SIGTERM)
        }
        let end = program.end()
        if Task.isCancelled {
            throw StorageError(.cancelled, "the backup was not packed", operation: "back up")
        }
        guard end == .exited(0) else {
            let words = String(decoding: messages, as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            throw StorageError(
                words.contains("No space left") ? .outOfSpace : .failed,
                "'tar' \(end): \(words)", operation: "back up")
        }
    }
}
