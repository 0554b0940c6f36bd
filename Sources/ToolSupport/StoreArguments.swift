package import ArgumentParser
package import BackendSelection
package import BrowserSessions
import CommandLineSupport
import Foundation

/// What a command does with its store.
package enum StorePurpose: Sendable, CaseIterable {
    /// Nothing of the store changes: not a byte, no generation is taken, nothing is repaired. It must be
    /// there, and where its backend keeps it in files no process may have it open.
    case look
    /// The store must be there.
    case change
    /// Where none is, one is made.
    case make

    /// The options that make it so, whatever else is said of them.
    package var options: [String: OptionValue] {
        switch self {
        case .look:
            ["create": .bool(false), "access": .text(StorageAccess.readOnly.rawValue)]
        case .change: ["create": .bool(false)]
        case .make: [:]
        }
    }
}

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

    /// Stores of several backends lie beside each other on purpose, as in the demo.
    @Flag(name: .customLong("beside-others"), help: .hidden)
    package var besideOthers = false

    package init() {}

    package func validate() throws {
        guard store == nil || storage == nil else {
            throw ValidationError(
                "'\(store ?? "")': --storage names a store, too; write one of them")
        }
    }

    /// What the arguments, the environment and the file select.
    package func resolve(to purpose: StorePurpose) throws(StorageError) -> ResolvedSelection {
        let request = SelectionRequest(
            store: store, storage: storage, configurationFile: config, options: options,
            environment: OwnProgram.environment,
            workingDirectory: OwnProgram.workingDirectory)
        let options = purpose.options
        let selection = try request.resolve(
            registry: .tool(), code: options.isEmpty ? nil : .code(options: options))
        if !besideOthers { Console.messages(selection.warnings()) }
        return selection
    }
}

extension StoreArguments {
    /// Opens the store, does the work and closes it again, also when the work fails.
    package func withStore<Result>(
        to purpose: StorePurpose, _ work: (any SessionStorage) async throws -> Result
    ) async throws -> Result {
        try await withOpen(try resolve(to: purpose), work)
    }
}

/// Opens what is selected, does the work and closes it again, also when the work fails.
package func withOpen<Result>(
    _ selection: ResolvedSelection, _ work: (any SessionStorage) async throws -> Result
) async throws -> Result {
    try await selection.open().whileOpen(work)
}
