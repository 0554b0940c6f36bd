/// What a run says as a whole.
public enum RunOutcome: String, Codable, Hashable, Sendable, CaseIterable {
    /// Every *must* requirement that applies was tried and holds.
    case conformant
    /// A *must* requirement does not hold, or the baseline or the number of cases is wrong.
    case violation
    /// Nothing unexpected failed, but not all was tried, or failures were expected.
    case partial
    /// The harness or the machine is at fault, so nothing is said of the backend.
    case harnessError

    /// The exit code of a tool; 64 stands for a wrong command line.
    public var exitCode: Int32 {
        switch self {
        case .conformant: 0
        case .violation: 1
        case .partial: 2
        case .harnessError: 3
        }
    }

    /// What to say of several runs: the worst.
    static func worst(_ outcomes: [RunOutcome]) -> RunOutcome {
        let order: [RunOutcome] = [.harnessError, .violation, .partial]
        return order.first(where: outcomes.contains) ?? .conformant
    }
}
