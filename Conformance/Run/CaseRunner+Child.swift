import BrowserSessions
import Foundation

extension CaseRunner {
    /// How much longer than its case a process may take to start and to end, on a busy machine.
    static let processAllowance = Duration.seconds(60)

    /// Runs the case in a process of its own, which may hang, trap or exit.
    func runInChild(_ testCase: ConformanceCase) async -> (Verdict, [String]) {
        guard let command = harness.child else {
            return (.errored("the harness cannot start a process"), [])
        }
        let seconds = longestTime.map { "\($0 / .seconds(1))" }
        let order = ChildOrder(
            worker: Worker.wholeCase.name, caseID: testCase.id, harness: harness.label, seed: seed,
            options: seconds.map { ["longestSeconds": $0] } ?? [:])
        let child: ChildProcess
        do {
            child = try ChildProcess(command, order)
        } catch {
            return (.errored("\(error)"), [])
        }
        let limit = timeLimit(of: testCase) + Self.processAllowance
        let (lines, end) = await child.lines(within: limit)
        guard let end else {
            return (
                .failed("the process was still running at the time limit of \(limit); killed"), []
            )
        }
        let reports = lines.compactMap { line in
            line.hasPrefix("verdict ")
                ? try? JSONDecoder().decode(
                    ChildVerdict.self, from: Data(line.dropFirst("verdict ".count).utf8)) : nil
        }
        if let report = reports.last { return (report.verdict, report.notes) }
        if let line = lines.first(where: { $0.hasPrefix("error ") }) { return (.errored(line), []) }
        let tail = child.errorTail
        return (.failed("the process \(end) within the case\(tail.isEmpty ? "" : ": \(tail)")"), [])
    }
}

/// A verdict on its way from a child.
private struct ChildVerdict: Codable {
    var kind: String
    var message: String
    var notes: [String]

    init(_ verdict: Verdict, _ notes: [String]) {
        self.notes = notes
        (kind, message) =
            switch verdict {
            case .failed(let message): ("failed", message)
            case .errored(let message): ("errored", message)
            default: ("passed", "")
            }
    }

    var verdict: Verdict {
        switch kind {
        case "passed": .passed
        case "failed": .failed(message)
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
        let traits = try await harness.readTraits()
        let limit = order.options["longestSeconds"].flatMap(Double.init).map(Duration.seconds)
        let runner = CaseRunner(
            harness: harness, traits: traits, seed: order.seed, longestTime: limit)
        let (verdict, notes) = await runner.runHere(testCase)
        let report = try JSONEncoder().encode(ChildVerdict(verdict, notes))
        ConformanceChild.report("verdict \(String(decoding: report, as: UTF8.self))")
    }
}

extension StorageHarness {
    /// What the stores of the harness claim.
    func readTraits() async throws -> StorageTraits {
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
