import ArgumentParser
import BrowserSessions
import StorageConformance

/// A part of a case in a process of its own.
struct Child: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Does what another process of this tool asks for.", shouldDisplay: false)

    @Option var storage: String?
    @Option var config: String?
    @Option(help: "A faulty backend of the suite instead of a store.") var mutant: String?
    @Option(help: "Where the faulty backend makes its stores.") var folder: String?

    func run() async throws {
        guard ConformanceChild.isChild else {
            throw ValidationError("this is for storagecheck itself")
        }
        guard let mutant, let folder else {
            await ConformanceChild.run(
                harness: try Target(storage: storage, configurationFile: config).harness)
        }
        guard let backend = FaultyBackend.backend(named: mutant) else {
            throw ValidationError("no faulty backend is called '\(mutant)'")
        }
        await ConformanceChild.run(
            harness: FaultyBackend.harness(
                named: mutant, over: Self.harness(mutant, backend, in: folder)))
    }

    /// The harness of a faulty backend, the same in every process.
    static func harness(_ name: String, _ backend: StorageBackend, in folder: String)
        -> BackendHarness
    {
        BackendHarness(
            backend, folder: folder,
            child: ChildCommand(
                executable: ChildCommand.ownExecutable,
                arguments: ["child", "--mutant", name, "--folder", folder]))
    }
}
