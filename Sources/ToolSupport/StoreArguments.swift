package import ArgumentParser
package import BackendSelection
package import BrowserSessions
import CommandLineSupport

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

/// The options that name a command's store.
package struct StoreOptions: ParsableArguments {
    @Option(
        help: "The store as a URL: sqlite:///path?durability=powerLoss.",
        completion: .custom { words, index, _ in StoreCompletion.urls(words, index) })
    package var storage: String?

    @Option(
        help: "A configuration file, JSON or YAML; - for standard input.",
        completion: .file(extensions: ["json", "yaml", "yml"]))
    package var config: String?

    @Option(
        name: .customLong("option"), help: "An option of the backend: NAME=VALUE.",
        completion: .custom { words, index, _ in StoreCompletion.options(words, index) })
    package var options: [String] = []

    /// Allows stores of several backends in the same place, as in the demo.
    @Flag(name: .customLong("beside-others"), help: .hidden)
    package var besideOthers = false

    package init() {}

    /// Resolves the selection from the options, the environment, and the file. Without any of them, the
    /// store in the current folder is selected.
    ///
    /// - Parameters:
    ///   - store: the store argument of the command, a path or a URL.
    ///   - purpose: the purpose for which the store will be opened.
    ///   - isNamed: whether the current folder does not count.
    package func resolve(
        _ store: String?, to purpose: StorePurpose, isNamed: Bool = false
    ) throws(StorageError) -> ResolvedSelection {
        var request = SelectionRequest(
            store: store, storage: storage, configurationFile: config, options: options,
            environment: OwnProgram.environment,
            workingDirectory: OwnProgram.workingDirectory)
        request.usesWorkingDirectory = !isNamed
        let options = purpose.options
        let selection = try request.resolve(
            registry: .tool(), code: options.isEmpty ? nil : .code(options: options))
        if !besideOthers { Console.remarks(selection.warnings()) }
        return selection
    }

    /// Throws if the store argument and `--storage` both name a store.
    package func check(_ store: String?) throws {
        guard let store, storage != nil else { return }
        throw ValidationError(
            "'\(store)': --storage names a store, too; write one of them")
    }
}

/// The arguments that name a command's store.
package struct StoreArguments: ParsableArguments {
    @Argument(
        help: """
            The store: the path of one that is there, or a URL as for --storage. Without any, the current \
            folder.
            """, completion: .directory)
    package var store: String?

    @OptionGroup package var named: StoreOptions

    package init() {}

    package func validate() throws { try named.check(store) }

    /// Resolves the selection from the arguments, the environment, and the file.
    package func resolve(to purpose: StorePurpose) throws(StorageError) -> ResolvedSelection {
        try named.resolve(store, to: purpose)
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

/// Opens the selected store, does the work, and closes the store, even if the work fails. A selection is
/// resolved once, because standard input can be read once. A store that is only looked at is read beside
/// the process that has it open.
///
/// - Parameter purpose: the purpose for which the store is opened; `nil` if that is among its options.
package func withOpen<Result>(
    _ selection: ResolvedSelection, to purpose: StorePurpose? = nil,
    _ work: (any SessionStorage) async throws -> Result
) async throws -> Result {
    try await selection.openBesideOwner(to: purpose).whileOpen(work)
}
