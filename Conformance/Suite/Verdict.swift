/// What came of one case.
public enum Verdict: Hashable, Sendable {
    case passed
    /// The backend broke the requirement; the text says how.
    case failed(String)
    /// The store, or its harness, does not have the ability.
    case notApplicable(Capability)
    /// It failed, as the baseline said, for the baseline's reason.
    case expectedFailure(reason: String, message: String)
    /// The baseline expected a failure, and it passed.
    case unexpectedPass(reason: String)
    /// The case could not be judged because of its harness or the machine.
    case errored(String)
}

/// The verdict of one case with what belongs to it.
public struct CaseResult: Sendable {
    public let testCase: ConformanceCase
    public var verdict: Verdict
    public let duration: Duration
    /// What the case measured, in sentences.
    public let notes: [String]

    public init(
        _ testCase: ConformanceCase, _ verdict: Verdict, duration: Duration, notes: [String] = []
    ) {
        self.testCase = testCase
        self.verdict = verdict
        self.duration = duration
        self.notes = notes
    }
}
