import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
import StorageEngines

struct RunCommand: BenchCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Measures (the default).")

    @Option(parsing: .singleValue, help: "Only these, by name, separated by commas; see --list.")
    var backends: [WordList] = []

    @Option(parsing: .singleValue, help: "A backend with options as a URL: sqlite:///folder?x=y.")
    var storage: [String] = []

    @Option(parsing: .singleValue, help: "Only these operations, separated by commas; see --list.")
    var workloads: [WordList] = []

    @Option(parsing: .singleValue, help: "Sizes of the window, separated by commas: 10,1000.")
    var tabs: [WordList] = []

    @Option(parsing: .singleValue, help: "Sizes of state in bytes, separated by commas: 10240.")
    var stateBytes: [WordList] = []

    @Option(parsing: .singleValue, help: "processCrash, powerLoss or both, separated by a comma.")
    var durability: [WordList] = []

    @Option(
        help: ArgumentHelp(
            "Pairs of measurements for each row, slow operations get fewer; saves of a long"
                + " operation. (default: 150)"))
    var samples: Int?

    @Option(help: "Decides everything that is random.")
    var seed: UInt64 = 1

    @Flag(help: "Fewer sizes and samples: about 15 seconds.")
    var quick = false

    @Flag(help: "List the backends and operations instead of measuring.")
    var list = false

    @Option(help: "A folder on the disk to measure; folders in it are made and removed.")
    var folder = "."

    @OptionGroup var report: ReportArguments<BenchFormat>

    func run(_ context: BenchContext) async throws -> Int32 {
        if list {
            try Console.result(Self.listing(context.contestants))
            return 0
        }
        try report.check()
        let plan = try plan(context.contestants)
        for folder in Set(
            [plan.folder] + plan.contestants.filter { $0.form == .path }.compactMap(\.location))
        {
            try WorkFolder.check(folder)
        }
        guard try FileSystem.status(plan.folder)?.kind == .directory else {
            throw ValidationError("--folder: '\(folder)' is not a folder")
        }
        let interruption = Interruption()
        let signals = interruption.listen()
        defer { for signal in signals { signal.cancel() } }
        let launcher = ChildLauncher(interruption: interruption)
        var run = BenchRun(
            plan: plan,
            environment: EnvironmentProbe.environment(
                folder: plan.folder, seed: seed, libraries: context.libraries,
                countsSyncs: launcher.tracer != nil))
        run.interruption = interruption
        let outcome = await run.run(progress: Console.progress, launch: launcher.launch)
        Console.endProgress()
        if let reason = outcome.report.incompleteBecause {
            Console.message("storagebench: incomplete: \(reason)")
        }
        for row in outcome.report.results where !row.verified {
            let size = "\(row.workload), \(counted(row.tabs, "tab"))"
            Console.message("storagebench: \(row.backend), \(size): \(row.note ?? "not measured")")
        }
        let problems = try report.write(outcome.report.formatted)
        for problem in problems { Console.message("storagebench: \(problem)") }
        return outcome.exitCode == 0 && !problems.isEmpty ? 2 : outcome.exitCode
    }

    static func listing(_ contestants: Contestants) -> String {
        var lines = ["Backends:"]
        lines += contestants.all.map { "  \($0.name.name): \($0.summary)" }
        lines += ["", "Operations (and the floor that each is compared with):"]
        lines += [Workload].all.map { workload in
            let words = [workload.floor?.rawValue, workload.use.words].compactMap(\.self)
            let extra = words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
            return "  \(workload.name)\(extra): \(workload.summary)"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
