import BrowserSessions
import Foundation

/// Runs the cases of the suite for one harness.
///
/// The run checks the harness first. Then every case runs in its own process, if the harness can
/// start one, so that a backend that hangs, traps, or exits fails only that case. Nothing is tried
/// twice.
public struct ConformanceRun: Sendable {
    /// The access to stores of the backend under test.
    public var harness: any StorageHarness
    /// The name in the report, if two harnesses have the same name.
    public var label: String
    /// The cases to run; all by default.
    public var selection = CaseSelection()
    /// The number of cases that run at the same time.
    public var jobs: Int
    /// The seed of everything random.
    public var seed: UInt64 = 1
    /// How much the cases that count something try.
    public var depth = SuiteDepth.full
    /// The absolute folder that keeps the stores of failed cases, before and after the damage;
    /// `nil` to keep nothing.
    public var keep: String?
    /// The failures that are known and accepted; none by default.
    public var baseline = Baseline.empty
    /// The fewest cases that must pass or fail; with fewer, the run proves nothing and fails. `nil`
    /// means one for the whole suite, and none for a part of it, which may have nothing to try.
    public var minimumGraded: Int?
    /// A limit for every case that has none or a longer one.
    public var longestTime: Duration?
    /// Receives each case when it has ended.
    public var progress: @Sendable (RunProgress) -> Void = { _ in }

    /// Creates a run of the whole suite for a harness, several cases at the same time.
    public init(_ harness: any StorageHarness, jobs: Int = defaultJobs) {
        self.harness = harness
        self.jobs = jobs
        label = harness.name
    }

    /// The number of active processor cores.
    public static var defaultJobs: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Runs the chosen cases. Throws ``UnknownName`` if the selection names something unknown.
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

/// The progress of a run.
public struct RunProgress: Sendable {
    /// The label of the run.
    public let label: String
    /// The number of cases that have ended, including this one.
    public let done: Int
    /// The number of cases to run.
    public let total: Int
    /// The case that has just ended, before the baseline applies.
    public let result: CaseResult
}

extension CaseRunner {
    /// Runs the cases, some at the same time, and returns the results in the order of the cases.
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
    /// Returns the next elements, at most `count`.
    fileprivate mutating func take(_ count: Int) -> [Element] {
        var taken: [Element] = []
        while taken.count < count, let element = next() { taken.append(element) }
        return taken
    }
}
