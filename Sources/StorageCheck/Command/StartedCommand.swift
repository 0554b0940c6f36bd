import ArgumentParser
import StorageConformance

/// A command that runs a case, or part of it, in its own process.
struct StartedCommand: CheckCommand {
    static let name = "child"
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Does what another process of this program asks for.")

    /// The internal commands of the program, by name.
    static var all: [String: any ParsableCommand.Type] {
        #if FaultyBackends
            [name: Self.self, FaultyStartedCommand.name: FaultyStartedCommand.self]
        #else
            [name: Self.self]
        #endif
    }

    @Option var storage: String?
    @Option var config: String?

    func run(_ context: CheckContext) async throws -> Int32 {
        try Self.checkOrder()
        let store = try CheckedStore(storage, configurationFile: config, context)
        await ConformanceChild.run(harness: store.harness())
    }

    /// Throws if a person typed the command.
    static func checkOrder() throws {
        guard ConformanceChild.isChild else {
            throw ValidationError("this is for \(Program.name) itself")
        }
    }
}
