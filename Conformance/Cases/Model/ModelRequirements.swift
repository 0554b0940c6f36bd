import BrowserSessions

extension ConformanceSuite {
    static let model: [RequirementCases] = [
        RequirementCases(
            requirement(
                .calls,
                """
                After any sequence of calls to one opening, every answer is the one that the \
                contract gives for that sequence: nothing depends on what happened on the way.
                """),
            body("five random sequences", .calls, sequences: 5)),
        RequirementCases(
            requirement(
                .reopening,
                """
                Closing and opening anywhere in a sequence of calls changes no later answer, but \
                for what the contract keeps until the next opening only.
                """),
            body("four random sequences with reopenings", .reopening, sequences: 4)),
        RequirementCases(
            requirement(
                .kills,
                """
                Killing the process anywhere in a sequence of saves changes no answer about those \
                that were acknowledged; the one in progress is there or not, and can be repeated.
                """),
            body("three random sequences with five kills each", .kills, sequences: 3)),
        RequirementCases(
            requirement(
                .refusals,
                """
                In any sequence of calls exactly the sets that break a rule are refused, each with \
                a code of a rule that it breaks, and leave no trace in any later answer.
                """),
            body("four random sequences with wild sets", .refusals, sequences: 4)),
    ]

    private static func requirement(_ mix: ModelSequence.Mix, _ statement: String) -> Requirement {
        Requirement(.model, mix.number, .must, statement, needs: mix.needs)
    }

    /// A failing sequence is run many times to make it shorter, which must not end at the limit.
    private static func body(_ name: String, _ mix: ModelSequence.Mix, sequences: Int) -> CaseBody {
        CaseBody(name, timeLimit: .seconds(600)) { context in
            for number in 0..<sequences {
                let sequence = ModelSequence(seed: mix.seed(number, of: context.seed))
                let report = try await sequence.report(on: [context])
                if report.failure != nil {
                    throw Violation("\(report). Run it again with --replay \(report.seed)")
                }
            }
            let seeds = (0..<sequences).map { "\(mix.seed($0, of: context.seed))" }
            context.note("sequences of the seeds \(seeds.joined(separator: ", "))")
        }
    }
}

extension ModelSequence.Mix {
    /// The number of the requirement whose sequences these are.
    fileprivate var number: Int { Int(rawValue) + 1 }

    var requirement: String { "\(RequirementGroup.model.rawValue)-\(number)" }
}
