/// The outcome of one case.
public enum Verdict: Hashable, Sendable {
    /// The requirement held in everything that the case tried.
    case passed
    /// The backend broke the requirement; the text says how.
    case failed(String)
    /// The store or its harness lacks the ability.
    case notApplicable(Capability)
    /// The case proves nothing, because its subject is missing, such as a file that only grows.
    case notTried(String)
    /// The case failed as the baseline expected, for the baseline's reason.
    case expectedFailure(reason: String, message: String)
    /// The baseline expected a failure, but the case passed.
    case unexpectedPass(reason: String)
    /// The harness or the machine prevented a verdict.
    case errored(String)
}

/// What a case leaves for examination.
public struct Evidence: Codable, Hashable, Sendable {
    /// What the case measured, in sentences.
    public var notes: [String] = []
    /// How much of the damaged content came back.
    public var scores: [SalvageScore] = []
    /// The last lines of standard error from the process of a failed case.
    public var said: [String] = []
    /// Where the stores of a failed case are kept; `nil` if they are not.
    public var kept: String?
    /// A shell command that repeats a failed case; `nil` if there is none.
    public var again: String?

    /// Creates evidence of nothing, to which a case adds.
    public init() {}
}

/// The share of tabs that came back, of those that one damage may cost.
public struct SalvageScore: Codable, Hashable, Sendable {
    /// `one byte`, `one block`, `one file`.
    public let damage: String
    /// From 0, nothing, to 1, all.
    public let share: Double
    /// The smallest share that the requirement accepts.
    public let floor: Double

    /// `one block 93 % (floor 60 %)`.
    var words: String {
        func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
        return "\(damage) \(percent(share)) (floor \(percent(floor)))"
    }
}
