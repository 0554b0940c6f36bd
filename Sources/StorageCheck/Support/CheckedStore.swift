import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
import StorageConformance

/// The stores that a command works on.
struct StoreArguments: ParsableArguments {
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

/// One store that the command line names.
struct CheckedStore: Sendable {
    let backend: StorageBackend
    let folder: String
    private let options: [String: OptionValue]
    /// The arguments with which another process of this program makes the same.
    private let arguments: [String]
    /// The arguments with which a person does.
    private let repeated: [String]
    private let context: CheckContext

    /// What `--storage` and `--config` name.
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
        // A folder that was made for one run is gone after it.
        repeated =
            isTemporary ? ["--storage", "\(backend.name)://\(WorkFolders.forAgain)"] : arguments
        self.context = context
    }

    /// Each case gets a directory of its own below the folder.
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
    /// The names of the backends, with a number where there are several of one.
    var labels: [String] {
        let names = map(\.backend.name)
        return names.indices.map { place in
            let before = names[..<place].count { $0 == names[place] }
            return before == 0 ? names[place] : "\(names[place])-\(before + 1)"
        }
    }
}
