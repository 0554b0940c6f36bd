import BackendSelection
import BrowserSessions
import Foundation
import StorageConformance
import ToolSupport

/// One store that the command line names.
struct Target: Sendable {
    let backend: StorageBackend
    let folder: String
    let options: [String: OptionValue]
    /// The arguments with which another process of this tool makes the same.
    let arguments: [String]

    /// What `--storage` and `--config` name.
    init(storage: String?, configurationFile: String?) throws(StorageError) {
        let request = SelectionRequest(
            storage: storage, configurationFile: configurationFile,
            environment: ProcessInfo.processInfo.environment,
            workingDirectory: FileManager.default.currentDirectoryPath)
        let selection = try request.resolve(registry: .tool())
        backend = selection.backend
        folder = selection.configuration.location
        options = selection.configuration.options
        arguments =
            (storage.map { ["--storage", $0] } ?? [])
            + (configurationFile.map { ["--config", $0] } ?? [])
    }

    /// A backend of this tool, in a folder.
    init(_ backend: StorageBackend, in folder: String) throws(StorageError) {
        try self.init(storage: "\(backend.name)://\(folder)", configurationFile: nil)
    }

    /// Each case gets a directory of its own below the folder.
    var harness: BackendHarness {
        BackendHarness(
            backend, options: options, folder: folder,
            child: ChildCommand(
                executable: ChildCommand.ownExecutable, arguments: ["child"] + arguments))
    }
}

/// The folders that a run needs: it never touches what was there before.
struct WorkFolders {
    private var made: [String] = []

    /// Makes the folder if it is absent; throws if something is in it.
    mutating func prepare(_ folder: String) throws(StorageError) {
        guard try FileSystem.exists(folder) else {
            try FileSystem.makeDirectories(folder)
            made.append(folder)
            return
        }
        let isEmpty = try FileSystem.contents(of: folder).isEmpty
        guard isEmpty || made.contains(folder) else {
            throw StorageError(
                .invalidConfiguration,
                "'\(folder)' is not empty; name an empty folder or one that does not exist",
                operation: "check")
        }
    }

    /// A folder that does not exist yet.
    static func temporary() -> String {
        let base = URL(filePath: NSTemporaryDirectory()).path
        return "\(base)/storagecheck-\(UUID().uuidString)"
    }

    /// Removes the folders that were made; what is left in them was left by a backend.
    func remove() {
        for folder in made where (try? FileSystem.contents(of: folder))?.isEmpty == true {
            try? FileSystem.remove(folder)
        }
    }
}
