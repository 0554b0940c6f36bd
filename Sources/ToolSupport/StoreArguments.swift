package import ArgumentParser
package import BackendSelection
package import BrowserSessions
import CommandLineSupport
import Foundation

/// The purpose for which a command opens its store.
package enum StorePurpose: Sendable, CaseIterable {
    /// To read it. Nothing changes: no byte differs, no restore point is taken, nothing is repaired.
    /// The store must exist. If a process has it open, it is read beside that; see
    /// ``BackendSelection/ResolvedSelection/openBesideOwner()``.
    case look
    /// To change a store that must exist.
    case change
    /// To change a store, which is made if there is none.
    case make

    /// The options for this purpose, which override all other options.
    package var options: [String: OptionValue] {
        switch self {
        case .look:
            ["create": .bool(false), "access": .text(StorageAccess.readOnly.rawValue)]
        case .change: ["create": .bool(false)]
        case .make: [:]
        }
    }
}

/// The arguments that name a command's store.
package struct StoreArguments: ParsableArguments {
    @Argument(help: "The store: the path of one that is there, or a URL as for --storage.")
    package var store: String?

    @Option(help: "The store as a URL: sqlite:///path?durability=powerLoss.")
    package var storage: String?

    @Option(help: "A configuration file, JSON or YAML.")
    package var config: String?

    @Option(name: .customLong("option"), help: "An option of the backend: NAME=VALUE.")
    package var options: [String] = []

    /// Allows stores of several backends in the same place, as in the demo.
    @Flag(name: .customLong("beside-others"), help: .hidden)
    package var besideOthers = false

    package init() {}

    package func validate() throws {
        guard store == nil || storage == nil else {
            throw ValidationError(
                "'\(store ?? "")': --storage names a store, too; write one of them")
        }
    }

    /// Resolves the selection from the arguments, the environment, and the file.
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
    /// Opens the store, does the work, and closes the store, even if the work fails.
    package func withStore<Result>(
        to purpose: StorePurpose, _ work: (any SessionStorage) async throws -> Result
    ) async throws -> Result {
        try await withOpen(try resolve(to: purpose), work)
    }
}

/// Opens the selected store, does the work, and closes the store, even if the work fails. A store that
/// is only looked at is read beside the process that has it open.
package func withOpen<Result>(
    _ selection: ResolvedSelection, _ work: (any SessionStorage) async throws -> Result
) async throws -> Result {
    try await selection.openBesideOwner().whileOpen(work)
}
