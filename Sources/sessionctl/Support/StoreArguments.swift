import ArgumentParser
import BackendSelection
import BrowserSessions
import Foundation

/// How every command is told its store.
struct StoreArguments: ParsableArguments {
    @Option(help: "The store as a URL: sqlite:///path?durability=powerLoss.")
    var storage: String?

    @Option(help: "A configuration file, JSON or YAML.")
    var config: String?

    @Option(name: .customLong("option"), help: "An option of the backend: NAME=VALUE.")
    var options: [String] = []

    /// What is selected; `create` says whether a store may be made.
    func resolve(create: Bool) throws(StorageError) -> ResolvedSelection {
        let request = SelectionRequest(
            storage: storage, configurationFile: config, options: options,
            environment: ProcessInfo.processInfo.environment,
            workingDirectory: FileManager.default.currentDirectoryPath)
        let code: SelectionLayer? =
            create ? nil : .code(options: ["create": .bool(false)])
        return try request.resolve(registry: .tool(), code: code)
    }

    /// Opens the store, does the work and closes it again, also when the work fails.
    func withStore<Result>(
        create: Bool = false, _ work: (any SessionStorage) async throws -> Result
    ) async throws -> Result {
        try await withOpen(try resolve(create: create), work)
    }
}

/// Opens what is selected, does the work and closes it again, also when the work fails.
func withOpen<Result>(
    _ selection: ResolvedSelection, _ work: (any SessionStorage) async throws -> Result
) async throws -> Result {
    let store = try await selection.open()
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

/// Text for people or JSON for programs.
struct FormatArguments: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Option(help: "How to print the result: text or json.")
    var format: Format = .text

    /// Prints the result, in one of its two forms, to standard output.
    func print(_ value: some Encodable, text: @autoclosure () -> [String]) throws {
        switch format {
        case .text: for line in text() { Console.result(line) }
        case .json: Console.result(try Console.json(value))
        }
    }
}
