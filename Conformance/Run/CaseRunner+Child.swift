public import BrowserSessions
import ChildProcesses
import Foundation

extension CaseRunner {
    /// The time that a process may take beyond its case, to start and to end on a busy machine.
    static let processAllowance = Duration.seconds(60)

    /// The options, besides the seed, that decide how a case runs in another process.
    var childOptions: [String: String] {
        var options = ["depth": depth.rawValue]
        options["longestSeconds"] = longestTime.map { "\($0 / .seconds(1))" }
        options["keep"] = keep
        return options
    }

    /// Runs the case in its own process, which may hang, trap, or exit.
    func runInChild(_ testCase: ConformanceCase) async -> (Verdict, Evidence) {
        guard let command = harness.child else {
            return (.errored("the harness cannot start a process"), Evidence())
        }
        var options = childOptions
        options["traits"] = traits.flatMap { try? JSONEncoder().encode(ClaimedTraits($0)) }
            .map { String(decoding: $0, as: UTF8.self) }
        let order = ChildOrder(
            worker: Worker.wholeCase.name, caseID: testCase.id, harness: harness.label, seed: seed,
            options: options)
        let child: ChildProcess
        do {
            child = try ChildProcess(command, order)
        } catch {
            return (.errored("\(error)"), Evidence())
        }
        let limit = timeLimit(of: testCase) + Self.processAllowance
        let (lines, end) = await child.lines(within: limit)
        var (verdict, evidence) = Self.judge(lines, end, within: limit)
        // A case that did not end has left its stores behind.
        if case .failed(let message) = verdict,
            evidence == nil || message.hasPrefix(Self.overdue)
        {
            let (words, found) = await cleanUp(after: testCase, lines)
            verdict = .failed(message + words)
            evidence = evidence ?? found
            evidence?.kept = found.kept
        }
        if verdict == .passed, child.leftProcesses {
            verdict = .failed("processes that the case had started were still running at its end")
        }
        if verdict.isFailure { evidence?.said = child.lastWords }
        return (verdict, evidence ?? Evidence())
    }

    /// Cleans up for a case that ended before its verdict: keeps its stores if requested, then
    /// removes them.
    ///
    /// - Returns: what to add to the message: what was tried last, and what could not be done here.
    private func cleanUp(after testCase: ConformanceCase, _ lines: [String]) async -> (
        String, Evidence
    ) {
        var evidence = Evidence()
        var locations: [(path: String, name: String)] = []
        var last = ""
        for progress in lines.compactMap(CaseProgress.init) {
            switch progress {
            case .location(let path, let name): locations.append((path, name))
            case .trying(let what): last = what
            }
        }
        var words = last.isEmpty ? "" : ", when it had tried \(last)"
        do {
            evidence.kept = try keep.flatMap {
                try CaseContext.keep(
                    locations, of: testCase, harness: harness.label, seed: seed, in: $0)
            }
            // Stores that could not be kept are not removed either.
            for location in locations { try await harness.removeLocation(location.path) }
        } catch {
            words += "; its stores could not be kept or removed: \(error)"
        }
        return (words, evidence)
    }

    /// Judges the lines of a process. Without a verdict there is no evidence.
    private static func judge(
        _ lines: [String], _ end: ProcessEnd?, within limit: Duration
    ) -> (Verdict, Evidence?) {
        guard let end else {
            return (
                .failed("the process was still running at the time limit of \(limit); killed"), nil
            )
        }
        let reports = lines.compactMap { line in
            line.hasPrefix("verdict ")
                ? try? JSONDecoder().decode(
                    ChildVerdict.self, from: Data(line.dropFirst("verdict ".count).utf8)) : nil
        }
        if let report = reports.last { return (report.verdict, report.evidence) }
        if let line = lines.first(where: { $0.hasPrefix("error ") }) {
            return (.errored(line), Evidence())
        }
        return (.failed("the process \(end) within the case"), nil)
    }
}

extension ChildCommand {
    /// Returns a shell command that repeats the case exactly as it ran.
    func again(_ testCase: ConformanceCase, by runner: CaseRunner) -> String {
        guard let repeating else {
            let order = ChildOrder(
                worker: Worker.wholeCase.name, caseID: testCase.id, harness: runner.harness.label,
                seed: runner.seed, options: runner.childOptions, isAlone: true)
            let value = Self.quoted((try? order.text) ?? "")
            return "\(ChildOrder.environmentName)=\(value) SWIFT_DETERMINISTIC_HASHING=1 "
                + ([executable] + arguments).map(Self.quoted).joined(separator: " ")
        }
        let words =
            [executable] + repeating
            + ["--case", testCase.id, "--seed", "\(runner.seed)"]
            + (runner.depth == .full ? [] : ["--depth", runner.depth.rawValue])
            + (runner.longestTime.map { ["--time-limit", "\($0.components.seconds)"] } ?? [])
            + (runner.keep.map { ["--keep", $0] } ?? [])
        return words.map(Self.quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        let plain = CharacterSet(charactersIn: "/.-_:=").union(.alphanumerics)
        if !word.isEmpty, word.unicodeScalars.allSatisfy(plain.contains) { return word }
        return "'\(word.replacingOccurrences(of: "'", with: "'\\''"))'"
    }
}

/// A verdict that a child process sends.
private struct ChildVerdict: Codable {
    var kind: String
    var message: String
    var evidence: Evidence

    init(_ verdict: Verdict, _ evidence: Evidence) {
        self.evidence = evidence
        (kind, message) =
            switch verdict {
            case .failed(let message): ("failed", message)
            case .errored(let message): ("errored", message)
            case .notTried(let reason): ("notTried", reason)
            case .notApplicable(let capability): ("notApplicable", capability.rawValue)
            default: ("passed", "")
            }
    }

    var verdict: Verdict {
        switch kind {
        case "passed": .passed
        case "failed": .failed(message)
        case "notTried": .notTried(message)
        case "notApplicable":
            Capability(rawValue: message).map(Verdict.notApplicable) ?? .errored(message)
        default: .errored(message)
        }
    }
}

extension Worker {
    /// Runs one case and reports its verdict.
    static let wholeCase = Worker(name: "case") { order, harness in
        guard let testCase = ConformanceSuite.cases.first(where: { $0.id == order.caseID }) else {
            throw HarnessFault("no case is called '\(order.caseID)'")
        }
        let traits = order.options["traits"].flatMap {
            try? JSONDecoder().decode(ClaimedTraits.self, from: Data($0.utf8)).traits
        }
        let limit = order.options["longestSeconds"].flatMap(Double.init).map(Duration.seconds)
        let runner = CaseRunner(
            harness: harness, traits: traits, seed: order.seed,
            depth: order.options["depth"].flatMap(SuiteDepth.init) ?? .full,
            keep: order.options["keep"], longestTime: limit)
        let (verdict, evidence) = await runner.runHere(testCase)
        let report = try JSONEncoder().encode(ChildVerdict(verdict, evidence))
        ConformanceChild.report("verdict \(String(decoding: report, as: UTF8.self))")
    }
}

extension StorageHarness {
    /// Opens and closes a store, and returns what it claims. Throws what the store throws.
    public func readTraits() async throws -> StorageTraits {
        let location = try await makeLocation()
        let traits: StorageTraits
        do {
            let store = try await open(StorageConfiguration(location: location))
            traits = store.traits
            try await store.close()
        } catch {
            try? await removeLocation(location)
            throw error
        }
        try await removeLocation(location)
        return traits
    }
}
