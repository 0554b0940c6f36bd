public import BrowserSessions
import Foundation

/// An error for the test framework: a case that did not pass.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// The case that did not pass.
    public let testCase: ConformanceCase
    /// The verdict: ``Verdict/failed(_:)`` or ``Verdict/errored(_:)``.
    public let verdict: Verdict
    /// The seed of everything random.
    public let seed: UInt64
    /// What the case left for examination.
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
        let clues = CaseReport(
            CaseResult(testCase, verdict: verdict, duration: .zero, evidence: evidence)
        )
        .clues
        let lines = [testCase.requirement.statement, "seed \(seed)"] + clues
        return (["\(testCase.id) \(what)"] + lines.map { "  \($0)" }).joined(separator: "\n")
    }
}

extension ConformanceCase {
    /// Runs the case; throws ``ConformanceFailure`` if the backend broke the requirement.
    ///
    /// Returns the verdict, which may be ``Verdict/notApplicable(_:)``. Failures of provisional
    /// requirements are returned, not thrown. Call this method from the test named `function`:
    /// unless the harness names another command, the case runs in the same test program with only
    /// that test. A backend that traps, hangs, or exits therefore fails only that case.
    ///
    /// - Parameters:
    ///   - harness: the backend to check.
    ///   - function: the name of the test.
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

    /// Runs the case with a harness of your own, which must know how to start a process.
    ///
    /// - Parameter harness: what makes and opens stores.
    /// - Parameter seed: decides everything that is random.
    /// - Parameter depth: how much the cases that count something try.
    /// - Parameter keep: an absolute folder in which the stores of a failed case stay.
    /// - Parameter traits: what the stores claim, from ``StorageHarness/readTraits()``; if `nil`,
    ///   each case first opens a store to find out.
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
