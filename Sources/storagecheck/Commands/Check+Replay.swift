import ArgumentParser
import StorageConformance

extension Check {
    /// Runs the sequence of a seed on all stores in lockstep, and prints every step.
    func run(replaying seed: UInt64) async throws {
        var folders = WorkFolders()
        defer { folders.remove() }
        let harnesses = try makeHarnesses(&folders)
        let report: ReplayReport
        do {
            report = try await ConformanceSuite.replay(seed, onAny: harnesses) {
                Output.result("\($0)\n")
            }
        } catch let fault as HarnessFault {
            Output.message("storagecheck: \(fault)")
            throw ExitCode.harness
        }
        Output.result("\(report)\n")
        if report.failure != nil { throw ExitCode.failure }
    }

    private func makeHarnesses(_ folders: inout WorkFolders) throws -> [any StorageHarness] {
        guard mutants.isEmpty else {
            let folder = WorkFolders.temporary()
            try folders.prepare(folder)
            return try mutants.map { name in
                guard let backend = FaultyBackend.backend(named: name) else {
                    throw ValidationError("no faulty backend is called '\(name)'")
                }
                return Child.harness(name, backend, in: folder)
            }
        }
        let targets = try makeTargets()
        for target in targets { try folders.prepare(target.folder) }
        return zip(targets, Self.labels(targets)).map { target, label in
            var harness = target.harness
            harness.label = label
            return harness
        }
    }
}
