import BrowserSessions

/// The result of a run over one or more harnesses, and the source of all report formats.
public struct ConformanceReport: Codable, Hashable, Sendable {
    /// The revision of the suite that ran.
    public let suite: SuiteRevision
    /// The worst outcome of the harnesses; ``RunOutcome/harnessError`` if there are none.
    public let outcome: RunOutcome
    /// The result for each harness, in the order given.
    public let harnesses: [HarnessReport]
    /// The file of expected failures, as the user named it; `nil` if there was none.
    public let baseline: String?

    /// Creates a report from the results of harnesses and the name of the baseline file, if any.
    public init(_ harnesses: [HarnessReport], baseline: String? = nil) {
        suite = .current
        self.baseline = baseline
        self.harnesses = harnesses
        outcome = harnesses.isEmpty ? .harnessError : .worst(harnesses.map(\.outcome))
    }
}

/// The result of a run over one harness.
public struct HarnessReport: Codable, Hashable, Sendable {
    /// The label of the run; by default, the name of the harness.
    public let name: String
    /// How long saved content lasts, as the raw value of a ``HarnessPersistence``.
    public let persistence: String
    /// The overall result for the harness.
    public let outcome: RunOutcome
    /// The seed of everything random.
    public let seed: UInt64
    /// The chosen part: `3 of 138 requirements (5 of 180 cases)`; `nil` for the whole suite.
    public let chosenPart: String?
    /// The reason that nothing ran.
    public let fault: String?
    /// Problems of the baseline or of the run as a whole.
    public let problems: [String]
    /// How much the cases that count something tried.
    public let depth: SuiteDepth
    /// The claims of the stores about themselves.
    public let traits: ClaimedTraits?
    /// The outcome of each of their claims.
    public let claims: [Claim]
    /// How much content of damaged stores came back.
    public let salvage: [SalvageScore]
    /// The outcomes by level, only for levels that have cases; provisional ones come last.
    public let counts: [LevelCounts]
    /// The chosen requirements with their results; empty if nothing ran.
    public let requirements: [RequirementReport]

    init(
        _ run: ConformanceRun, traits: StorageTraits?, results: [CaseResult],
        fault: String? = nil, problems: [String] = []
    ) {
        name = run.label
        persistence = run.harness.persistence.rawValue
        seed = run.seed
        self.fault = fault
        depth = run.depth
        self.traits = traits.map(ClaimedTraits.init)
        claims =
            traits.map {
                Claim.all(
                    claimed: CaseRunner.capabilities(run.harness, $0), results: results)
            } ?? []
        salvage = results.flatMap(\.evidence.scores)
        requirements = RequirementReport.all(of: results)
        counts = LevelCounts.all(of: requirements)
        chosenPart =
            run.selection.isWhole
            ? nil
            : """
            \(requirements.count) of \(ConformanceSuite.requirements.count) requirements \
            (\(results.count) of \(ConformanceSuite.cases.count) cases)
            """
        let graded = counts.filter { !$0.isProvisional }.reduce(0) { $0 + $1.graded }
        let wanted = run.minimumGraded ?? (run.selection.isWhole ? 1 : 0)
        let isTooShort = fault == nil && graded < wanted
        self.problems =
            problems
            + (isTooShort
                ? ["\(graded) cases were graded, \(wanted) are wanted at least"] : [])
        let isSkipped = run.harness.persistence >= .elsewhere && run.harness.child == nil
        outcome = Self.outcome(
            of: requirements, isFaulty: fault != nil, hasProblems: !self.problems.isEmpty,
            isWhole: run.selection.isWhole && !isSkipped)
    }

    private static func outcome(
        of requirements: [RequirementReport], isFaulty: Bool, hasProblems: Bool, isWhole: Bool
    ) -> RunOutcome {
        let verdicts = requirements.filter { !$0.isProvisional && $0.level == .must }
            .flatMap(\.cases).map(\.verdict)
        if isFaulty { return .harnessError }
        if hasProblems || verdicts.contains(.failed) { return .violation }
        if requirements.flatMap(\.cases).contains(where: { $0.verdict == .errored }) {
            return .harnessError
        }
        return isWhole && !verdicts.contains(.expectedFailure) ? .conformant : .partial
    }
}

extension HarnessReport {
    /// Whether cases were left out.
    public var isFiltered: Bool { chosenPart != nil }

    /// What the result does not cover: untried claims, cases that found nothing to try, and the
    /// larger part of a quick run. A selection says nothing about most claims.
    public var untried: [String] {
        let open =
            isFiltered
            ? [] : claims.filter { $0.standing == .claimedNotTried }.map(\.capability.rawValue)
        let cases = requirements.flatMap(\.cases).filter { $0.verdict == .notTried }.map {
            "\($0.id) (\($0.message ?? ""))"
        }
        return open + cases + (depth == .quick ? ["what a full run tries beyond a quick one"] : [])
    }
}

/// The outcomes of the cases of one level.
public struct LevelCounts: Codable, Hashable, Sendable {
    /// The level of the requirements that are counted.
    public let level: Requirement.Level
    /// Whether the requirements are provisional; these are counted separately.
    public let isProvisional: Bool
    /// The number of cases by verdict.
    public let cases: [String: Int]

    /// Returns the number of cases with a verdict; 0 if there are none.
    public func number(_ verdict: CaseReport.Kind) -> Int { cases[verdict.rawValue] ?? 0 }

    /// The cases that passed or failed.
    public var graded: Int {
        CaseReport.Kind.allCases.filter(\.isGraded).reduce(0) { $0 + number($1) }
    }

    static func all(of requirements: [RequirementReport]) -> [LevelCounts] {
        [false, true].flatMap { isProvisional in
            Requirement.Level.allCases.compactMap { level in
                let verdicts = requirements.filter {
                    $0.level == level && $0.isProvisional == isProvisional
                }.flatMap(\.cases).map(\.verdict.rawValue)
                guard !verdicts.isEmpty else { return nil }
                return LevelCounts(
                    level: level, isProvisional: isProvisional,
                    cases: Dictionary(verdicts.map { ($0, 1) }, uniquingKeysWith: +))
            }
        }
    }
}
