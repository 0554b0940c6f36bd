import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import StorageConformance

/// The arguments that select the suite's faulty backends.
struct FaultyArguments: ParsableArguments {
    @Option(name: .customLong("mutant"), parsing: .singleValue, help: .hidden)
    private var lists: [WordList] = []

    var names: [String] { lists.words }

    /// Throws if a name is unknown.
    func check() throws {
        let known = FaultyBackend.all.map(\.name)
        for name in names where !known.contains(name) {
            throw ValidationError(
                "--mutant: there is no faulty backend '\(name)'"
                    + NearestName.suggestion(for: name, among: known))
        }
    }

    /// Returns harnesses of the faulty backends, in a temporary folder.
    func harnesses(_ folders: inout WorkFolders) throws -> [any StorageHarness] {
        try check()
        let folder = WorkFolders.temporary()
        try folders.prepare(folder)
        return try names.map { try Self.harness($0, in: folder) }
    }

    /// Returns the harness of a faulty backend, which is the same in every process.
    static func harness(_ name: String, in folder: String) throws -> BackendHarness {
        guard let backend = FaultyBackend.backend(named: name) else {
            throw ValidationError("there is no faulty backend '\(name)'")
        }
        return harness(name, backend, in: folder)
    }

    static func harness(_ name: String, _ backend: StorageBackend, in folder: String)
        -> BackendHarness
    {
        BackendHarness(
            backend, folder: folder,
            child: ChildCommand(
                executable: ChildCommand.ownExecutable,
                arguments: [StartedCommand.name, "--mutant", name, "--folder", folder]))
    }
}
