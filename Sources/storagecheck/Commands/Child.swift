import ArgumentParser
import StorageConformance

/// A part of a case in a process of its own.
struct Child: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Does what another process of this tool asks for.", shouldDisplay: false)

    @Option var storage: String?
    @Option var config: String?

    func run() async throws {
        guard ConformanceChild.isChild else {
            throw ValidationError("this is for storagecheck itself")
        }
        await ConformanceChild.run(
            harness: try Target(storage: storage, configurationFile: config).harness)
    }
}
