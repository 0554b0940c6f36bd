package import ArgumentParser
package import BackendSelection
package import BrowserSessions
import Foundation

/// How a command is told its store.
package struct StoreArguments: ParsableArguments {
    @Argument(help: "The store: the path of one that is there, or a URL as for --storage.")
    package var store: String?

    @Option(help: "The store as a URL: sqlite:///path?durability=powerLoss.")
    package var storage: String?

    @Option(help: "A configuration file, JSON or YAML.")
    package var config: String?

    @Option(name: .customLong("option"), help: "An option of the backend: NAME=VALUE.")
    package var options: [String] = []

    package init() {}

    package func validate() throws {
        guard store == nil || storage == nil else {
            throw ValidationError(
                "'\(store ?? "")': --storage names a store, too; write one of them")
        }
    }

    /// What the arguments, the environment and the file select; `create` says whether a store may be
    /// made.
    package func resolve(create: Bool) throws(StorageError) -> ResolvedSelection {
        let request = SelectionRequest(
            store: store, storage: storage, configurationFile: config, options: options,
            environment: ProcessInfo.processInfo.environment,
            workingDirectory: FileManager.default.currentDirectoryPath)
        let code: SelectionLayer? =
            create ? nil : .code(options: ["create": .bool(false)])
        return try request.resolve(registry: .tool(), code: code)
    }
}

extension StoreArguments {
    /// Opens the store, does the work and closes it again, also when the work fails.
    package func withStore<Result>(
        create: Bool = false, _ work: (any SessionStorage) async throws -> Result
    ) async throws -> Result {
        try await withOpen(try resolve(create: create), work)
    }
}

/// Opens what is selected, does the work and closes it again, also when the work fails.
package func withOpen<Result>(
    _ selection: ResolvedSelection, _ work: (any SessionStorage) async throws -> Result
) async throws -> Result {
    try await withOpen(try await selection.open(), work)
}

/// Does the work with a store that is open and closes it, also when the work fails.
package func withOpen<Result>(
    _ store: any SessionStorage, _ work: (any SessionStorage) async throws -> Result
) async throws -> Result {
    let result: Result
    do {
        result = try await work(store)
    } catch {
        try? await store.close()
        throw error
    }
    try await store.close()
    return result
}
