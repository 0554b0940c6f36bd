/// One rule for every engine binding.
public struct EngineRequirement: Hashable, Sendable, Identifiable {
    /// The identifier, such as `HISTORY-1`; its meaning never changes.
    public let id: String
    /// One sentence.
    public let statement: String

    init(_ id: String, _ statement: String) {
        self.id = id
        self.statement = statement
    }
}

/// The outcome of one requirement.
public enum EngineVerdict: Hashable, Sendable {
    /// The requirement holds.
    case passed
    /// The requirement does not hold; the text says why.
    case failed(String)
    /// The subject lacks an ability, which the text names.
    case notApplicable(String)
}

/// The outcomes of all requirements.
public struct EngineReport: Sendable {
    /// The requirements in the order of the suite, each with its outcome.
    public internal(set) var verdicts: [(requirement: EngineRequirement, verdict: EngineVerdict)] =
        []

    /// Whether no requirement failed.
    public var isConformant: Bool {
        verdicts.allSatisfy { if case .failed = $0.verdict { false } else { true } }
    }

    /// A table for people, one line for each requirement.
    public var table: String {
        let width = verdicts.map(\.requirement.id.count).max() ?? 0
        return verdicts.map { requirement, verdict in
            let id = requirement.id.padded(to: width)
            return switch verdict {
            case .passed: "passed  \(id)  \(requirement.statement)"
            case .failed(let message): "FAILED  \(id)  \(requirement.statement)\n        \(message)"
            case .notApplicable(let reason): "  --    \(id)  not applicable: \(reason)"
            }
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

/// The reason that a case ends early.
enum EngineCaseEnd: Error {
    case violated(String)
    case notApplicable(String)
}
