/// What came of one case.
public enum Verdict: Hashable, Sendable {
    case passed
    /// The backend broke the requirement; the text says how.
    case failed(String)
    /// The store, or its harness, does not have the ability.
    case notApplicable(Capability)
    /// What the case looks for is not there, such as a file that only grows: it proves nothing.
    case notTried(String)
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
    public let evidence: Evidence

    public init(
        _ testCase: ConformanceCase, _ verdict: Verdict, duration: Duration,
        evidence: Evidence = Evidence()
    ) {
        self.testCase = testCase
        self.verdict = verdict
        self.duration = duration
        self.evidence = evidence
    }
}

/// What a case leaves to look at.
public struct Evidence: Codable, Hashable, Sendable {
    /// What the case measured, in sentences.
    public var notes: [String] = []
    /// How much of what damage touched came back.
    public var scores: [SalvageScore] = []
    /// The last lines that the process of a failed case wrote to its standard error.
    public var said: [String] = []
    /// Where the stores of a failed case are kept; `nil` if they are not.
    public var kept: String?
    /// A line for a shell that repeats a failed case; `nil` if nothing can.
    public var again: String?

    public init() {}
}

/// How many of the tabs that one damage may cost came back.
public struct SalvageScore: Codable, Hashable, Sendable {
    /// `one byte`, `one block`, `one file`.
    public let damage: String
    /// From 0, nothing, to 1, all.
    public let share: Double
    /// The least that the requirement asks for.
    public let floor: Double

    /// `one block 93 % (floor 60 %)`.
    var words: String {
        func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
        return "\(damage) \(percent(share)) (floor \(percent(floor)))"
    }
}
