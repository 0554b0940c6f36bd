import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import SessionInterop
import ToolSupport

struct Backup: LookingCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a store to a folder or a .tar file, also while a browser has it open.",
        discussion: """
            The backup is a store of the same backend, without incognito tabs. It has its name once it \
            is complete. The digest is that of 'digest', and is compared with the store's, unless the \
            store changed meanwhile. A .tar file is read back and compared before it gets its name. With \
            --keep, the folder holds dated backups; only complete ones of the same store and user, with \
            earlier change sets, that were not opened to write are removed.
            """)

    @Argument(
        help: """
            The folder of the backup, or a file with .tar at its end: new, empty, or a backup, which is replaced.
            """)
    var target: String

    @Option(help: "Make a dated backup in the folder, and keep so many of the store.")
    var keep: Int?

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func validate() throws {
        if target.isEmpty { throw ValidationError("the name of the folder is empty") }
        if isPacked, keep != nil {
            throw ValidationError("dated backups are folders; name a folder, or leave --keep out")
        }
        if let keep, keep < 1 {
            throw ValidationError("'--keep \(keep)' would keep no backup; write 1 or more")
        }
    }

    var afterInterruption: String? {
        "no part of it has the name of a backup, and the next one begins again"
    }

    private var isPacked: Bool { target.hasSuffix(PackedBackup.suffix) }

    func look() async throws {
        let selection = try store.resolve(to: .look)
        guard !isPacked else { return try await pack(selection) }
        let dated = keep.map { _ in DatedBackups(in: target) }
        let path = try dated?.newPath(at: .now()) ?? target
        let backup = try await selection.backend.backUp(selection.configuration, to: path)
        let check = try await BackupCheck(backup, of: selection)
        // From here on, the backup has its name.
        if check.isInterrupted {
            return try check.conclude(path, keep == nil ? "" : "; the next one removes older ones")
        }
        var removed: [String] = []
        if let keep, let dated { removed = dated.keepNewest(keep, with: backup) }
        try output.print(answer(backup, check, removed))
        try check.conclude(path)
    }

    /// - Parameter removed: the older backups that were removed.
    private func answer(_ backup: StoreBackup, _ check: BackupCheck, _ removed: [String] = [])
        -> Answer
    {
        let compared =
            check.isCompared
            ? "the same as the store's"
            : "not compared: the store has changed since, and the backup was read as a whole"
        return Answer(
            [
                "path": backup.path, "backend": backup.backend, "changeSet": backup.sequence,
                "bytes": backup.bytes, "asOf": backup.asOf.inUTC, "sha256": check.digest,
                "isCompared": check.isCompared, "removed": removed,
            ],
            "\(backup.path): \(backup.bytes) bytes, as of \(backup.asOf.inUTC), change set \(backup.sequence)",
            check.digest.map { "\($0): \(compared)" } ?? "not read back",
            removed.map { "removed: \($0)" })
    }

    /// Makes the backup beside the archive that it then goes into.
    private func pack(_ selection: ResolvedSelection) async throws {
        let packed = try PackedBackup(target, of: selection.configuration.location)
        defer { packed.discard() }
        do {
            var backup = try await selection.backend.backUp(
                selection.configuration, to: packed.folder)
            let check = try await BackupCheck(backup, of: selection)
            if check.isInterrupted, let problem = check.problem { throw problem }
            backup.bytes = try packed.finish()
            backup.path = target
            try output.print(answer(backup, check))
            try check.conclude(target)
        } catch var error as StorageError {
            error.message.replace(packed.folder, with: target)
            throw error
        }
    }
}
