import BrowserSessions

/// The result of the random use of stores that belongs to a seed.
public struct ReplayReport: Hashable, Sendable {
    /// The seed from which the sequence of steps was made.
    public let seed: UInt64
    /// The number of steps in the sequence.
    public let steps: Int
    /// The first failure; `nil` if all stores matched the model, and therefore each other.
    public let failure: Failure?

    /// A failed step of one store, and the shortest failing sequence that was found.
    public struct Failure: Hashable, Sendable {
        /// The label of the harness of the failed store.
        public let label: String
        /// The number of the step after which it failed.
        public let step: Int
        /// What was expected and what was found, without session content.
        public let message: String
        /// The shortest failing list of steps that was found, with their numbers.
        public let shortest: [String]
        /// The failure of the last step of ``shortest``.
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
    /// Runs the sequence on stores of all contexts in lockstep, and shortens a failing one.
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
    /// seed.
    ///
    /// Each step runs on one store of each harness, in lockstep. All must then answer and hold the
    /// same as the model. With one harness, some kills are within a save, at slightly varying
    /// moments; with several, all are between two saves. The harnesses must be able to start a
    /// process.
    ///
    /// - Parameter seed: the seed that the failed case names.
    /// - Parameter harnesses: the harnesses of the stores.
    /// - Parameter progress: receives a line for every step, without session content.
    public static func replay(
        _ seed: UInt64, onAny harnesses: [any StorageHarness],
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> ReplayReport {
        let sequence = ModelSequence(seed: seed)
        let testCase = try caseOfModel(sequence)
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

    /// Runs the same for backends with directories as stores, from a test of that name: other
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

    private static func caseOfModel(_ sequence: ModelSequence) throws -> ConformanceCase {
        guard
            let found = model.first(where: { $0.requirement.id == sequence.requirement })?.cases
                .first
        else { throw HarnessFault("no case has sequences of that kind") }
        return found
    }
}
