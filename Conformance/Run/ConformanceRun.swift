import BrowserSessions
import Foundation

/// Runs the cases of the suite for one harness.
///
/// The harness is checked first. Then every case runs in a process of its own, if the harness can
/// start one, so that a backend that hangs, traps or exits fails that case and no other. Nothing is
/// tried twice.
public struct ConformanceRun: Sendable {
    public var harness: any StorageHarness
    /// The name in the report, where two harnesses have the same.
    public var label: String
    public var selection = CaseSelection()
    /// How many cases run at the same time.
    public var jobs: Int
    /// Decides everything that is random.
    public var seed: UInt64 = 1
    /// How much the cases that count something try.
    public var depth = SuiteDepth.full
    /// The folder in which the stores of failed cases stay, before the damage and after; `nil` to
    /// keep nothing. It must be absolute.
    public var keep: String?
    public var baseline = Baseline.empty
    /// With fewer cases that passed or failed, the run is no proof and a failure. `nil` asks for one
    /// of the whole suite, and for none of a part of it, which may have nothing to try.
    public var minimumGraded: Int?
    /// No case may take longer, whatever it says itself.
    public var longestTime: Duration?
    /// Is told of every case when it is over.
    public var progress: @Sendable (RunProgress) -> Void = { _ in }

    public init(_ harness: any StorageHarness, jobs: Int = defaultJobs) {
        self.harness = harness
        self.jobs = jobs
        label = harness.name
    }

    /// As many as there are cores.
    public static var defaultJobs: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Runs the chosen cases; throws ``UnknownName`` if the selection names what does not exist.
    public func run() async throws -> HarnessReport {
        let cases = try selection.select()
        let traits: StorageTraits
        do {
            traits = try await Preflight(harness: harness).run(within: preflightLimit)
        } catch {
            return HarnessReport(self, traits: nil, results: [], fault: "\(error)")
        }
        let runner = CaseRunner(
            harness: harness, traits: traits, seed: seed, depth: depth, keep: keep,
            longestTime: longestTime)
        let results = await runner.run(cases, jobs: jobs) { done, result in
            progress(RunProgress(label: label, done: done, total: cases.count, result: result))
        }
        let (graded, problems) = baseline.apply(to: results, of: label)
        return HarnessReport(self, traits: traits, results: graded, problems: problems)
    }

    private var preflightLimit: Duration {
        min(longestTime ?? .seconds(30), .seconds(30)) + CaseRunner.processAllowance
    }
}

/// How far a run is.
public struct RunProgress: Sendable {
    public let label: String
    public let done: Int
    public let total: Int
    /// The case that is just over, before the baseline is looked at.
    public let result: CaseResult
}

extension CaseRunner {
    /// Runs the cases, some at the same time; the results are in the order of the cases.
    func run(
        _ cases: [ConformanceCase], jobs: Int, progress: (Int, CaseResult) -> Void = { _, _ in }
    ) async -> [CaseResult] {
        await withTaskGroup(of: (Int, CaseResult).self) { group in
            var results: [Int: CaseResult] = [:]
            var waiting = cases.indices.makeIterator()
            for place in waiting.take(max(1, jobs)) {
                group.addTask { (place, await run(cases[place])) }
            }
            while let (place, result) = await group.next() {
                results[place] = result
                progress(results.count, result)
                if let next = waiting.next() {
                    group.addTask { (next, await run(cases[next])) }
                }
            }
            return cases.indices.compactMap { results[$0] }
        }
    }
}

extension IteratorProtocol {
    /// The next elements, at most that many.
    fileprivate mutating func take(_ count: Int) -> [Element] {
        var taken: [Element] = []
        while taken.count < count, let element = next() { taken.append(element) }
        return taken
    }
}
