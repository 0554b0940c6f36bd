import BrowserSessions

/// What came of the random use of stores that belongs to a seed.
public struct ReplayReport: Hashable, Sendable {
    public let seed: UInt64
    /// How many steps the sequence has.
    public let steps: Int
    /// The first failure; `nil` if all stores did as the model, and so the same.
    public let failure: Failure?

    public struct Failure: Hashable, Sendable {
        /// The label of the harness whose store failed.
        public let label: String
        /// The number of the step after which it failed.
        public let step: Int
        /// What was expected and what was found, without content of sessions.
        public let message: String
        /// The shortest list of steps that was found to fail, with their numbers.
        public let shortest: [String]
        /// How the last of ``shortest`` fails.
        public let shortestMessage: String
    }
}

extension ReplayReport: CustomStringConvertible {
    public var description: String {
        guard let failure else { return "seed \(seed): all \(steps) steps as the model" }
        return """
            seed \(seed): '\(failure.label)' differs from the model at step \(failure.step) of \
            \(steps): \(failure.message). The shortest sequence found has \
            \(failure.shortest.count) steps: \(failure.shortest.joined(separator: "; ")). There: \
            \(failure.shortestMessage)
            """
    }
}

extension ModelSequence {
    /// Runs the sequence on stores of all contexts in lockstep; a failing one is made shorter.
    func report(
        on contexts: [CaseContext],
        progress: @escaping @Sendable (_ step: String, _ answer: String) -> Void = { _, _ in }
    ) async throws -> ReplayReport {
        var trial = ModelTrial(seed: seed, contexts: contexts, progress: progress)
        let operations = contexts.count == 1 ? operations : operations.map(\.killingAtRest)
        guard let failure = try await trial.run(operations) else {
            return ReplayReport(seed: seed, steps: operations.count, failure: nil)
        }
        trial.progress = { _, _ in }
        let shrinking = ModelShrinking(budget: mix == .kills ? 25 : 100)
        let shortest = try await shrinking.shortest(operations, failure) { [trial] in
            try await trial.run($0)
        }
        return ReplayReport(
            seed: seed, steps: operations.count,
            failure: .init(
                label: failure.label, step: failure.step, message: failure.message,
                shortest: shortest.operations.map(\.description),
                shortestMessage: shortest.failure.message))
    }
}

extension ConformanceSuite {
    /// Runs exactly the random use of stores that a failed case of the group MODEL named by its
    /// seed, on one store of each harness in lockstep: each step on all of them, and then all must
    /// answer and hold the same as the model, and so as each other.
    ///
    /// With one harness, some kills are within a save, and not at exactly the same moment each
    /// time; with several, all are between two. The harnesses must know how to start a process.
    ///
    /// - Parameter progress: is told of every step in a line, without content of sessions.
    public static func replay(
        _ seed: UInt64, onAny harnesses: [any StorageHarness],
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> ReplayReport {
        let sequence = ModelSequence(seed: seed)
        let testCase = try caseOfModel(sequence.mix)
        if let order = ChildOrder.ofThisProcess {
            // Started by a replay, perhaps by another one of the same test.
            guard order.caseID == testCase.id, order.seed == seed,
                let harness = harnesses.first(where: { $0.label == order.harness })
            else { return ReplayReport(seed: seed, steps: 0, failure: nil) }
            await ConformanceChild.run(harness: harness)
        }
        var contexts: [CaseContext] = []
        for harness in harnesses {
            let traits = try await harness.readTraits()
            let able = CaseRunner.capabilities(harness, traits)
            if let missing = sequence.mix.needs.first(where: { !able.contains($0) }) {
                throw HarnessFault(
                    "the sequence of seed \(seed) needs '\(missing.rawValue)', which "
                        + "'\(harness.label)' cannot do")
            }
            contexts.append(
                CaseContext(testCase, harness, traits: traits, seed: seed, depth: .full))
        }
        let report = try await sequence.report(on: contexts) { step, answer in
            progress("\(step): \(answer)")
        }
        for context in contexts { _ = try await context.cleanUp() }
        return report
    }

    /// The same for backends whose stores are directories, from a test of that name: other
    /// processes are the same test program with only that test, unless a harness names another
    /// command.
    public static func replay(
        _ seed: UInt64, on harnesses: [BackendHarness], function: String = #function,
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> ReplayReport {
        let able = harnesses.map { harness in
            var harness = harness
            harness.child = harness.child ?? .test(named: function)
            return harness as any StorageHarness
        }
        return try await replay(seed, onAny: able, progress: progress)
    }

    private static func caseOfModel(_ mix: ModelSequence.Mix) throws -> ConformanceCase {
        guard let found = model.first(where: { $0.requirement.id == mix.requirement })?.cases.first
        else { throw HarnessFault("no case has sequences of that kind") }
        return found
    }
}
