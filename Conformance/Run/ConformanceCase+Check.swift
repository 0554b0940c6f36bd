public import BrowserSessions
import Foundation

/// A case that was not passed, for the test framework that ran it.
public struct ConformanceFailure: Error, CustomStringConvertible {
    public let testCase: ConformanceCase
    public let verdict: Verdict
    /// Decides everything that was random.
    public let seed: UInt64
    /// What it left to look at.
    public let evidence: Evidence

    init(_ result: CaseResult, seed: UInt64) {
        testCase = result.testCase
        verdict = result.verdict
        evidence = result.evidence
        self.seed = seed
    }

    public var description: String {
        let what =
            switch verdict {
            case .errored(let message): "could not be judged: \(message)"
            case .failed(let message): "violated: \(message)"
            default: "\(verdict)"
            }
        let clues = CaseReport(CaseResult(testCase, verdict, duration: .zero, evidence: evidence))
            .clues
        let lines = [testCase.requirement.statement, "seed \(seed)"] + clues
        return (["\(testCase.id) \(what)"] + lines.map { "  \($0)" }).joined(separator: "\n")
    }
}

extension ConformanceCase {
    /// Runs the case; throws ``ConformanceFailure`` if the backend broke the requirement.
    ///
    /// Returns the verdict, which may be ``Verdict/notApplicable(_:)``. Failures of provisional
    /// requirements are returned, not thrown. Call it from a test of that name: the case runs in a
    /// process of its own, which is the same test program with only that test, unless the harness
    /// names another command. So a backend that traps, hangs or exits fails that case alone.
    ///
    /// - Parameters:
    ///   - seed: decides everything that is random.
    ///   - depth: how much the cases that count something try.
    ///   - keep: an absolute folder in which the stores of a failed case stay.
    @discardableResult
    public func check(
        _ harness: BackendHarness, seed: UInt64 = 1, depth: SuiteDepth = .quick,
        keep: String? = nil, function: String = #function
    ) async throws -> Verdict {
        var harness = harness
        harness.child = harness.child ?? .test(named: function)
        return try await check(any: harness, seed: seed, depth: depth, keep: keep)
    }

    /// The same for a harness of your own, which knows by itself how to start a process.
    ///
    /// - Parameter traits: what the stores claim, if ``StorageHarness/readTraits()`` was called before; else
    ///   each case opens a store first, to ask it.
    @discardableResult
    public func check(
        any harness: any StorageHarness, traits: StorageTraits? = nil, seed: UInt64 = 1,
        depth: SuiteDepth = .quick, keep: String? = nil
    ) async throws -> Verdict {
        if let order = ChildOrder.ofThisProcess {
            guard order.caseID == id, order.harness == harness.label else { return .passed }
            await ConformanceChild.run(harness: harness)
        }
        let runner = CaseRunner(
            harness: harness, traits: traits, seed: seed, depth: depth, keep: keep)
        let result = await runner.run(self)
        switch result.verdict {
        case .failed where !requirement.isProvisional, .errored:
            throw ConformanceFailure(result, seed: seed)
        default: return result.verdict
        }
    }
}
