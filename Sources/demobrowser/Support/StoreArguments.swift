import ArgumentParser
import BackendSelection
import BrowserSessions
import DirectoryBackend
import Foundation
import LevelDBBackend
import SQLiteBackend

/// How the browser is told where its profile is stored.
struct StoreArguments: ParsableArguments {
    @Option(help: "The store as a URL: sqlite:///path?durability=powerLoss.")
    var storage: String?

    @Option(help: "A configuration file, JSON or YAML.")
    var config: String?

    @Option(name: .customLong("option"), help: "An option of the backend: NAME=VALUE.")
    var options: [String] = []

    /// Opens the store that the arguments, the environment and the file select, or makes it.
    func open() async throws(StorageError) -> any SessionStorage {
        let registry = try BackendRegistry([.directory, .sqlite, .leveldb])
        let request = SelectionRequest(
            storage: storage, configurationFile: config, options: options,
            environment: ProcessInfo.processInfo.environment,
            workingDirectory: FileManager.default.currentDirectoryPath)
        return try await request.resolve(registry: registry).open()
    }
}
