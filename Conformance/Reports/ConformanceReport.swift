import BrowserSessions

/// What came of a run over one or more harnesses. All formats are made of it.
public struct ConformanceReport: Codable, Hashable, Sendable {
    public let suite: SuiteRevision
    public let outcome: RunOutcome
    public let harnesses: [HarnessReport]
    /// The file that says which failures were expected, as it was named; `nil` if there was none.
    public let baseline: String?

    public init(_ harnesses: [HarnessReport], baseline: String? = nil) {
        suite = .current
        self.baseline = baseline
        self.harnesses = harnesses
        outcome = harnesses.isEmpty ? .harnessError : .worst(harnesses.map(\.outcome))
    }
}

/// What came of a run over one harness.
public struct HarnessReport: Codable, Hashable, Sendable {
    public let name: String
    public let persistence: String
    public let outcome: RunOutcome
    public let seed: UInt64
    /// `3 of 138 requirements (5 of 180 cases)`; `nil` if all of the suite was chosen.
    public let chosenPart: String?
    /// Why nothing was run.
    public let fault: String?
    /// What is wrong with the baseline or with the run as a whole.
    public let problems: [String]
    public let depth: SuiteDepth
    /// What the stores say of themselves.
    public let traits: ClaimedTraits?
    /// What became of each of their claims.
    public let claims: [Claim]
    /// How much of damaged stores came back.
    public let salvage: [SalvageScore]
    public let counts: [LevelCounts]
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

    /// What the result says nothing about: claims that nothing tried, cases that found nothing to
    /// try them on, and the larger part of a quick run. A selection says nothing of most claims.
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

/// How many cases of one level came out how.
public struct LevelCounts: Codable, Hashable, Sendable {
    public let level: Requirement.Level
    /// Provisional requirements are counted apart.
    public let isProvisional: Bool
    /// The number of cases by verdict.
    public let cases: [String: Int]

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
