import ArgumentParser
import BackendSelection
import BrowserSessions
import Foundation

/// Measures.
struct RunCommand: BenchCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Measures (the default).")

    @Option(parsing: .singleValue, help: "Only these, by name, separated by commas; see --list.")
    var backends: [String] = []

    @Option(parsing: .singleValue, help: "A backend with options as a URL: sqlite:///folder?x=y.")
    var storage: [String] = []

    @Option(parsing: .singleValue, help: "Only these operations, separated by commas; see --list.")
    var workloads: [String] = []

    @Option(parsing: .singleValue, help: "Sizes of the window, separated by commas: 10,1000.")
    var tabs: [String] = []

    @Option(parsing: .singleValue, help: "Sizes of state in bytes, separated by commas: 10240.")
    var stateBytes: [String] = []

    @Option(parsing: .singleValue, help: "processCrash, powerLoss or both, separated by a comma.")
    var durability: [String] = []

    @Option(help: "Pairs of measurements for each row; slow operations get fewer. (default: 150)")
    var samples: Int?

    @Option(help: "Decides everything that is random.")
    var seed: UInt64 = 1

    @Flag(help: "Fewer sizes and samples: about 15 seconds.")
    var quick = false

    @Flag(help: "List the backends and operations instead of measuring.")
    var list = false

    @Option(help: "A folder on the disk to measure; folders in it are made and removed.")
    var folder = "."

    @Flag(help: "Measure also in a folder that holds a store; the store itself is left alone.")
    var allowExisting = false

    @OptionGroup var report: ReportArguments

    func run(_ context: BenchContext) async throws -> Int32 {
        if list {
            Console.result(Self.listing(context.contestants))
            return 0
        }
        try report.check()
        let plan = try plan(context.contestants)
        for folder in Set([plan.folder] + plan.contestants.compactMap(\.location)) {
            if !allowExisting { try WorkFolder.check(folder) }
        }
        guard try FileSystem.status(plan.folder)?.kind == .directory else {
            throw ValidationError("--folder: '\(folder)' is not a folder")
        }
        let interruption = Interruption()
        let signals = interruption.listen()
        defer { for signal in signals { signal.cancel() } }
        let launcher = ChildLauncher(interruption: interruption)
        let run = BenchRun(
            plan: plan,
            environment: EnvironmentProbe.environment(
                folder: plan.folder, seed: seed, libraries: context.libraries,
                countsSyncs: launcher.tracer != nil),
            launch: launcher.launch, interruption: interruption, progress: Console.progress)
        let outcome = await run.run()
        Console.endProgress()
        if let reason = outcome.report.incompleteBecause {
            Console.message("storagebench: incomplete: \(reason)")
        }
        for row in outcome.report.results where !row.verified {
            let size = "\(row.workload), \(row.tabs) tabs"
            Console.message("storagebench: \(row.backend), \(size): \(row.note ?? "not measured")")
        }
        try report.write(outcome.report)
        return outcome.exitCode
    }

    static func listing(_ contestants: Contestants) -> String {
        var lines = ["Backends:"]
        lines += contestants.all.map { "  \($0.name.name): \($0.summary)" }
        lines += ["", "Operations (and the floor that each is compared with):"]
        lines += Workload.all.map { "  \($0.name) (\($0.floor.rawValue)): \($0.summary)" }
        return lines.joined(separator: "\n") + "\n"
    }
}

// MARK: - The plan

extension RunCommand {
    /// What the options ask for; a mistake names the option, and the nearest name.
    func plan(_ known: Contestants) throws -> BenchPlan {
        var plan = BenchPlan(contestants: try chosen(known), folder: absolute(folder))
        plan.seed = seed
        if quick {
            (plan.samples, plan.rounds, plan.milliseconds) = (30, 1, 40)
            (plan.tabs, plan.stateBytes) = ([10, 1000], [10 << 10])
        }
        if let samples { plan.samples = samples }
        guard (3...1_000_000).contains(plan.samples) else {
            throw ValidationError("--samples: a number from 3 to 1000000 is needed")
        }
        if samples != nil {
            // Who asks for many pairs also gives them the time.
            plan.milliseconds *= max(1, plan.samples / 150)
        }
        let names = words(workloads)
        if !names.isEmpty {
            let all = Workload.all.map(\.name)
            plan.workloads = try names.map {
                let name = try Self.find($0, all, "--workloads", "operation")
                return Workload.all[all.firstIndex(of: name) ?? 0]
            }
        }
        if !tabs.isEmpty { plan.tabs = try numbers(tabs, 2...1_000_000, "--tabs") }
        if !stateBytes.isEmpty {
            plan.stateBytes = try numbers(stateBytes, 1...(16 << 20), "--state-bytes")
        }
        let levels = words(durability)
        if !levels.isEmpty {
            let all: [Durability] = [.processCrash, .powerLoss]
            plan.durabilities = try levels.map {
                let name = try Self.find($0, all.map(\.rawValue), "--durability", "level")
                return name == Durability.powerLoss.rawValue ? .powerLoss : .processCrash
            }
        }
        return plan
    }

    private func chosen(_ known: Contestants) throws -> [Contestant] {
        var chosen: [Contestant] = []
        var counts: [String: Int] = [:]
        for url in storage {
            let found = try known.contestant(url: url)
            let count = (counts[found.name.name] ?? 0) + 1
            counts[found.name.name] = count
            let label = count == 1 ? found.name.name : "\(found.name.name)-\(count)"
            chosen.append(try known.contestant(url: url, label: label))
        }
        var names = words(backends)
        if names.isEmpty {
            names = storage.isEmpty ? known.names : Contestants.builtIn.map(\.name.name)
        }
        for name in names {
            let name = try Self.find(name, known.names, "--backends", "backend")
            guard counts[name] == nil, let contestant = known.contestant(named: name) else {
                throw ValidationError("--backends: '\(name)' is there twice")
            }
            counts[name] = 1
            chosen.append(contestant)
        }
        return chosen
    }

    private static func find(_ name: String, _ known: [String], _ option: String, _ kind: String)
        throws -> String
    {
        guard !known.contains(name) else { return name }
        throw ValidationError(
            "\(option): there is no \(kind) '\(name)'"
                + NearestName.suggestion(for: name, among: known) + "; there is: "
                + known.joined(separator: ", "))
    }

    /// The words between commas, each once.
    private func words(_ lists: [String]) -> [String] {
        var words: [String] = []
        for word in lists.flatMap({ $0.split(separator: ",") }) {
            let word = word.trimmingCharacters(in: .whitespaces)
            if !words.contains(word) { words.append(word) }
        }
        return words
    }

    private func numbers(_ lists: [String], _ range: ClosedRange<Int>, _ option: String) throws
        -> [Int]
    {
        try words(lists).map { word in
            guard let number = Int(word), range.contains(number) else {
                throw ValidationError(
                    "\(option): '\(word)' is not a whole number from \(range.lowerBound) to"
                        + " \(range.upperBound)")
            }
            return number
        }
    }

    private func absolute(_ path: String) -> String {
        let base = URL(
            filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
        return URL(filePath: path, relativeTo: base).standardizedFileURL.path
    }
}
