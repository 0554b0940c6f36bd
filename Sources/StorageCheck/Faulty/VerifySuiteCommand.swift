import ArgumentParser
import CommandLineSupport
import StorageConformance

/// A command that runs the suite over the backends that it must catch.
struct VerifySuiteCommand: CheckCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-suite",
        abstract: "Checks the suite itself: every faulty backend must be caught.",
        discussion: """
            Exit codes: 0 each is caught by the requirement that it breaks; 1 one is not; 3 and 64 \
            as for 'run'.
            """)

    @OptionGroup var effort: EffortArguments
    @OptionGroup var faulty: FaultyArguments
    @OptionGroup var report: ReportArguments<ReportFormat>

    func run(_ context: CheckContext) async throws -> Int32 {
        try report.check("the kill matrix", hasForms: ReportArguments.formsOfPages)
        try faulty.check()
        var folders = WorkFolders()
        defer { folders.remove() }
        let folder = WorkFolders.temporary()
        try folders.prepare(folder)
        var verification = SuiteVerification { name, backend in
            FaultyArguments.harness(name, backend, in: folder)
        }
        verification.jobs = effort.jobs
        verification.seed = effort.seed
        verification.depth = effort.depth
        verification.longestTime = effort.longestTime
        verification.progress = Console.message
        verification.names = faulty.names
        let matrix = try await verification.run()
        return try report.conclude(matrix.isSound ? 0 : RunOutcome.violation.exitCode) {
            try matrix.formatted($0) ?? ""
        }
    }
}
