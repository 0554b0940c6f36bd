import ArgumentParser
import BrowserSessions
import Foundation
import StorageConformance
import ToolSupport

/// Runs the suite over stores.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the suite over one or more stores (the default).")

    @Option(parsing: .singleValue, help: "A store as a URL: sqlite:///empty/folder.")
    var storage: [String] = []

    @Option(help: "A configuration file, JSON or YAML.")
    var config: String?

    @Option(parsing: .singleValue, help: "Only this group: SAVE.")
    var group: [String] = []

    @Option(parsing: .singleValue, help: "Only this requirement: SAVE-3.")
    var requirement: [String] = []

    @Option(name: .customLong("case"), parsing: .singleValue, help: "Only the case of this id.")
    var cases: [String] = []

    @Option(help: "How many cases run at the same time.")
    var jobs = ConformanceRun.defaultJobs

    @Option(help: "Decides everything that is random.")
    var seed: UInt64 = 1

    @Option(help: "The longest that a case may take, in seconds, if that is less than its own.")
    var timeLimit: Int?

    @Option(help: "A file of expected failures: lines of ID: REASON, or a JSON object.")
    var baseline: String?

    @Option(help: "With fewer cases that passed or failed, the run is a failure.")
    var minimumGraded = 1

    @Flag(help: "Print the requirements instead of checking them.")
    var list = false

    @Flag(help: "Check the suite itself: every faulty backend must be caught.")
    var verifySuite = false

    @Option(
        help: "Run the sequence of this seed, which a failed case of MODEL named, step by step.")
    var replay: UInt64?

    @Option(
        name: .customLong("mutant"), parsing: .singleValue,
        help: ArgumentHelp(
            "With --verify-suite or --replay: only this faulty backend.", visibility: .hidden))
    var mutants: [String] = []

    @OptionGroup var report: ReportArguments

    func validate() throws {
        guard jobs > 0 else { throw ValidationError("--jobs must be 1 or more") }
        guard timeLimit ?? 1 > 0 else { throw ValidationError("--time-limit must be 1 or more") }
        guard minimumGraded > 0 else {
            throw ValidationError("--minimum-graded must be 1 or more")
        }
        let isNarrowed = !(storage + group + requirement + cases).isEmpty || config != nil
        guard !verifySuite || !(isNarrowed || list || baseline != nil) else {
            throw ValidationError("--verify-suite checks the whole suite, without a store")
        }
        guard verifySuite || replay != nil || mutants.isEmpty else {
            throw ValidationError("--mutant belongs to --verify-suite and --replay")
        }
        let isChosen = !(group + requirement + cases).isEmpty || baseline != nil
        guard replay == nil || !(isChosen || list || verifySuite) else {
            throw ValidationError("--replay runs one sequence, and nothing else")
        }
    }

    func run() async throws {
        if list {
            let page = ContractPage()
            return try report.write { try page.formatted($0) }
        }
        if verifySuite { return try await verify() }
        if let replay { return try await run(replaying: replay) }
        let plan = try plan()
        var folders = WorkFolders()
        defer { folders.remove() }
        let targets = try makeTargets()
        for target in targets { try folders.prepare(target.folder) }
        var reports: [HarnessReport] = []
        for (target, label) in zip(targets, Self.labels(targets)) {
            var run = plan
            run.harness = target.harness
            run.label = label
            Output.message("\(label): seed \(seed), \(jobs) at a time")
            reports.append(try await run.run())
        }
        let whole = ConformanceReport(reports)
        try report.write { try whole.formatted($0) }
        guard whole.outcome == .conformant else { throw ExitCode(whole.outcome.exitCode) }
    }

    /// Runs the suite over the backends that it must not let through.
    private func verify() async throws {
        var folders = WorkFolders()
        defer { folders.remove() }
        let folder = WorkFolders.temporary()
        try folders.prepare(folder)
        var verification = SuiteVerification { name, backend in
            Child.harness(name, backend, in: folder)
        }
        verification.jobs = jobs
        verification.seed = seed
        verification.longestTime = timeLimit.map { .seconds($0) }
        verification.progress = Output.message
        verification.names = mutants
        let matrix: KillMatrix
        do {
            matrix = try await verification.run()
        } catch let error as UnknownName {
            throw ValidationError("\(error)")
        }
        try report.write { try matrix.formatted($0) }
        if !matrix.isSound { throw ExitCode.failure }
    }

    /// What all runs have in common; a mistake in it is one of the command line.
    private func plan() throws -> ConformanceRun {
        var run = ConformanceRun(BackendHarness(.builtIn[0]), jobs: jobs)
        run.selection = CaseSelection(groups: group, requirements: requirement, cases: cases)
        run.seed = seed
        run.minimumGraded = minimumGraded
        run.longestTime = timeLimit.map { .seconds($0) }
        run.progress = Output.progress
        do {
            _ = try run.selection.select()
            if let baseline {
                run.baseline = try Baseline(
                    parsing: String(contentsOfFile: baseline, encoding: .utf8))
            }
        } catch let error as UnknownName {
            throw ValidationError("\(error)")
        } catch let error as Baseline.Mistake {
            throw ValidationError("\(error)")
        } catch {
            throw ValidationError("'\(baseline ?? "")' cannot be read")
        }
        return run
    }

    func makeTargets() throws -> [Target] {
        if !storage.isEmpty {
            return try storage.map { try Target(storage: $0, configurationFile: config) }
        }
        if config != nil { return [try Target(storage: nil, configurationFile: config)] }
        let folder = WorkFolders.temporary()
        return try StorageBackend.builtIn.map { try Target($0, in: folder) }
    }

    /// The names of the backends, with a number where there are several of one.
    static func labels(_ targets: [Target]) -> [String] {
        let names = targets.map(\.backend.name)
        return names.indices.map { place in
            let before = names[..<place].count { $0 == names[place] }
            return before == 0 ? names[place] : "\(names[place])-\(before + 1)"
        }
    }
}
