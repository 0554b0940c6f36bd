/// One test of one requirement, as data. It imports no test framework and runs anywhere.
public struct ConformanceCase: Sendable, Identifiable {
    /// The requirement that the case tests.
    public let requirement: Requirement
    /// What the case tries: `a set over three sessions`.
    public let name: String
    /// The longest time that the case may take.
    public let timeLimit: Duration
    /// The location of the case in the sources.
    public let place: SourcePlace
    /// Throws a ``Violation`` if the requirement does not hold.
    let body: @Sendable (CaseContext) async throws -> Void

    /// `SAVE-3 a set over three sessions`.
    public var id: String { "\(requirement.id) \(name)" }
}

extension ConformanceCase: CustomStringConvertible {
    public var description: String { id }
}

/// The verdict of one case, with its evidence.
public struct CaseResult: Sendable {
    /// The case that ran.
    public let testCase: ConformanceCase
    /// The outcome, which a baseline can change.
    public var verdict: Verdict
    /// The time from start to end, including that of its process; zero if the case does not apply.
    public let duration: Duration
    /// What the case left for examination.
    public let evidence: Evidence

    /// Creates the result of a case; by default, without evidence.
    public init(
        _ testCase: ConformanceCase, verdict: Verdict, duration: Duration,
        evidence: Evidence = Evidence()
    ) {
        self.testCase = testCase
        self.verdict = verdict
        self.duration = duration
        self.evidence = evidence
    }
}
