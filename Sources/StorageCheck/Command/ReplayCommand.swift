import ArgumentParser
import CommandLineSupport
import StorageConformance
import Synchronization

/// A command that runs the sequence of a seed on all stores in lockstep and prints every step.
struct ReplayCommand: CheckCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Runs the random sequence that a failed case of MODEL named, step by step.",
        discussion: """
            On several stores each step is done on all of them, and all must then hold the same. \
            Exit codes: 0 all stores did as the model; 1 one did not; 3 and 64 as for 'run'.
            """)

    @Argument(help: "The seed that the case named.")
    var seed: UInt64

    @OptionGroup var stores: CheckedStoreArguments
    @OptionGroup var faulty: FaultyArguments

    func run(_ context: CheckContext) async throws -> Int32 {
        var folders = WorkFolders()
        defer { folders.remove() }
        let harnesses = try harnesses(context, &folders)
        let trouble = Mutex<OutputError?>(nil)
        let report = try await ConformanceSuite.replay(seed, onAny: harnesses) {
            step in
            do throws(OutputError) {
                try Console.result("\(step)\n")
            } catch {
                trouble.withLock { $0 = error }
            }
        }
        if let error = trouble.withLock({ $0 }) { throw error }
        try Console.result("\(report)\n")
        return report.failure == nil ? 0 : RunOutcome.violation.exitCode
    }

    private func harnesses(_ context: CheckContext, _ folders: inout WorkFolders) throws
        -> [any StorageHarness]
    {
        if !faulty.names.isEmpty { return try faulty.harnesses(&folders) }
        let stores = try stores.stores(context)
        for store in stores { try folders.prepare(store.folder) }
        return zip(stores, stores.labels).map { $0.harness(label: $1) }
    }
}
