public import ArgumentParser
import BrowserSessions
import CommandLineSupport
import Foundation
public import StorageConformance
import StorageEngines

/// A command that runs the suite over stores.
struct RunCommand: CheckCommand {
    static let name = "run"
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Runs the suite, or a part of it (the default).",
        discussion: """
            Stores are made below the folder of each --storage, which must be empty or absent.
            """)

    @OptionGroup var stores: CheckedStoreArguments
    @OptionGroup var chosen: SelectionArguments

    @OptionGroup var effort: EffortArguments

    @Option(
        help: ArgumentHelp(
            "Keep the stores of failed cases here, before the damage and after.",
            valueName: "folder"))
    var keep: String?

    @Option(
        help: ArgumentHelp(
            "Expected failures: lines of ID: REASON, or a JSON object.", valueName: "file"))
    var baseline: String?

    @Option(
        help: """
            With fewer cases that passed or failed, the run is a failure. (default: 1 of the whole \
            suite)
            """)
    var minimumGraded: Int?

    @OptionGroup var report: ReportArguments<ReportFormat>

    func validate() throws {
        guard minimumGraded ?? 1 > 0 else {
            throw ValidationError("--minimum-graded must be 1 or more")
        }
    }

    func run(_ context: CheckContext) async throws -> Int32 {
        try report.check()
        let selection = try chosen.selection()
        let baseline = try readBaseline()
        let stores = try stores.stores(context)
        let keep = try keepFolder()
        var folders = WorkFolders()
        defer { folders.remove(keepingKeys: keep != nil) }
        for store in stores { try folders.prepare(store.folder) }
        var reports: [HarnessReport] = []
        for (store, label) in zip(stores, stores.labels) {
            var run = ConformanceRun(store.harness(label: label), jobs: effort.jobs)
            run.label = label
            run.selection = selection
            run.seed = effort.seed
            run.depth = effort.depth
            run.keep = keep
            run.baseline = baseline
            run.minimumGraded = minimumGraded
            run.longestTime = effort.longestTime
            run.progress = Self.tell
            Console.message("\(label): seed \(effort.seed), \(effort.jobs) at a time")
            reports.append(try await run.run())
        }
        let whole = ConformanceReport(reports, baseline: self.baseline)
        return try report.conclude(whole.exitCode) { try whole.formatted($0) }
    }

    /// Makes the folder and returns its absolute path.
    private func keepFolder() throws -> String? {
        guard let keep else { return nil }
        guard !keep.isEmpty else {
            throw ValidationError("--keep: the name of the folder is empty")
        }
        let path = URL(filePath: keep).standardizedFileURL.path
        do {
            try FileSystem.makeDirectories(path)
            return path
        } catch {
            throw ValidationError("--keep: the folder '\(keep)' cannot be made: \(error)")
        }
    }

    private func readBaseline() throws -> Baseline {
        guard let baseline else { return .empty }
        do {
            return try Baseline(parsing: String(contentsOfFile: baseline, encoding: .utf8))
        } catch let mistake as Baseline.Mistake {
            throw ValidationError("--baseline: \(mistake)")
        } catch {
            throw ValidationError("--baseline: '\(baseline)' cannot be read")
        }
    }

    /// Reports a case that has ended.
    private static func tell(_ progress: RunProgress) {
        let verdict =
            switch progress.result.verdict {
            case .passed: "passed"
            case .failed(let message): "FAILED: \(message)"
            case .notApplicable(let capability): "not applicable: \(capability.rawValue)"
            case .notTried(let reason): "not tried: \(reason)"
            case .errored(let message): "ERROR: \(message)"
            case .expectedFailure, .unexpectedPass: "known"
            }
        Console.message(
            "[\(progress.done)/\(progress.total)] \(progress.label)"
                + " \(progress.result.testCase.id) \(verdict)")
    }
}

extension ReportFormat: ReportFileFormat {
    package var isJSON: Bool { self == .json }
}

extension SuiteDepth: ExpressibleByArgument {}

extension ReportArguments<ReportFormat> {
    /// Writes the report. Returns the exit code of the process, which is not 0 if writing failed.
    func conclude(_ status: Int32, _ text: (ReportFormat) throws -> String) throws -> Int32 {
        let problems = try write(text)
        for problem in problems { Console.message("\(Program.name): \(problem)") }
        return status == 0 && !problems.isEmpty ? RunOutcome.harnessError.exitCode : status
    }

    /// The formats for output other than the result of a run.
    static var formsOfPages: [ReportFormat] { [.text, .markdown, .json] }
}
