import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
import StorageConformance

/// The arguments that name a command's stores.
struct CheckedStoreArguments: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A store as a URL: BACKEND:///empty/folder?option=value; may be repeated. Without one,"
                + " all backends of this program are checked, in a temporary folder.",
            valueName: "url"))
    var storage: [String] = []

    @Option(help: ArgumentHelp("A configuration file, JSON or YAML.", valueName: "file"))
    var config: String?

    func stores(_ context: CheckContext) throws -> [CheckedStore] {
        if !storage.isEmpty {
            return try storage.map { try CheckedStore($0, configurationFile: config, context) }
        }
        if config != nil { return [try CheckedStore(nil, configurationFile: config, context)] }
        guard !context.registry.names.isEmpty else {
            throw ValidationError("the registry of this program has no backend")
        }
        let path = WorkFolders.temporary()
        let folder = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        return try context.registry.names.map {
            try CheckedStore(
                "\($0)://\(folder)", configurationFile: nil, isTemporary: true, context)
        }
    }
}

/// A store that the command line names.
struct CheckedStore: Sendable {
    let backend: StorageBackend
    let folder: String
    private let options: [String: OptionValue]
    /// The arguments that make another process of this program use the same store.
    private let arguments: [String]
    /// The arguments with which a person repeats the command.
    private let repeated: [String]
    private let context: CheckContext

    /// Finds the store that `--storage` or `--config` names.
    init(
        _ storage: String?, configurationFile: String?, isTemporary: Bool = false,
        _ context: CheckContext
    ) throws(StorageError) {
        let request = SelectionRequest(
            storage: storage, configurationFile: configurationFile,
            environment: OwnProgram.environment,
            workingDirectory: OwnProgram.workingDirectory)
        let selection = try request.resolve(registry: context.registry)
        backend = selection.backend
        folder = selection.configuration.location
        options = selection.configuration.options
        arguments =
            (storage.map { ["--storage", $0] } ?? [])
            + (configurationFile.map { ["--config", $0] } ?? [])
        // A folder made for one run does not exist after the run.
        repeated =
            isTemporary ? ["--storage", "\(backend.name)://\(WorkFolders.forAgain)"] : arguments
        self.context = context
    }

    /// Returns a harness that gives each case its own directory below the folder.
    func harness(label: String? = nil) -> any StorageHarness {
        context.harness(
            BackendHarness(
                backend, label: label, options: options, folder: folder,
                child: ChildCommand(
                    executable: ChildCommand.ownExecutable,
                    arguments: [StartedCommand.name] + arguments,
                    repeating: [RunCommand.name] + repeated)))
    }
}

extension [CheckedStore] {
    /// The names of the backends, numbered if a backend occurs more than once.
    var labels: [String] {
        let names = map(\.backend.name)
        return names.indices.map { place in
            let before = names[..<place].count { $0 == names[place] }
            return before == 0 ? names[place] : "\(names[place])-\(before + 1)"
        }
    }
}
