import BrowserSessions
import Foundation

/// A case that was not passed, for the test framework that ran it.
public struct ConformanceFailure: Error, CustomStringConvertible {
    public let testCase: ConformanceCase
    public let verdict: Verdict

    public var description: String {
        let what =
            switch verdict {
            case .errored(let message): "could not be judged: \(message)"
            case .failed(let message): "violated: \(message)"
            default: "\(verdict)"
            }
        return "\(testCase.id) \(what)\n  \(testCase.requirement.statement)"
    }
}

extension ConformanceCase {
    /// Runs the case; throws ``ConformanceFailure`` if the backend broke the requirement.
    ///
    /// Returns the verdict, which may be ``Verdict/notApplicable(_:)``. Failures of provisional
    /// requirements are returned, not thrown. Call it from a test of that name: parts of some cases
    /// run in another process, which is the same test program with only that test, unless the
    /// harness names another command.
    ///
    /// - Parameter seed: decides everything that is random.
    @discardableResult
    public func check(
        _ harness: BackendHarness, seed: UInt64 = 1, function: String = #function
    ) async throws -> Verdict {
        var harness = harness
        harness.child = harness.child ?? .test(named: function)
        return try await check(any: harness, seed: seed)
    }

    /// The same for a harness of your own, which knows by itself how to start a process.
    @discardableResult
    public func check(any harness: any StorageHarness, seed: UInt64 = 1) async throws -> Verdict {
        if let order = ChildOrder.ofThisProcess {
            guard order.caseID == id, order.harness == harness.label else { return .passed }
            await ConformanceChild.run(harness: harness)
        }
        let traits = try await readTraits(of: harness)
        let runner = CaseRunner(harness: harness, traits: traits, seed: seed)
        let verdict = await runner.run(self).verdict
        switch verdict {
        case .failed where !requirement.isProvisional, .errored:
            throw ConformanceFailure(testCase: self, verdict: verdict)
        default: return verdict
        }
    }

    /// What the stores claim; without an answer the case cannot be judged, and is not passed.
    private func readTraits(of harness: any StorageHarness) async throws -> StorageTraits {
        do {
            let traits = try await harness.readTraits()
            try harness.check(traits)
            return traits
        } catch let fault as HarnessFault {
            throw ConformanceFailure(testCase: self, verdict: .errored(fault.message))
        } catch {
            throw ConformanceFailure(
                testCase: self, verdict: .errored("no store can be opened and closed: \(error)"))
        }
    }
}
