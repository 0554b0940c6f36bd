/// What every engine binding must do.
public struct EngineRequirement: Hashable, Sendable, Identifiable {
    /// Such as `HISTORY-1`; it never means anything else.
    public let id: String
    /// One sentence.
    public let statement: String

    init(_ id: String, _ statement: String) {
        self.id = id
        self.statement = statement
    }
}

/// What came of one requirement.
public enum EngineVerdict: Hashable, Sendable {
    case passed
    /// What was wrong.
    case failed(String)
    /// What the subject can't do.
    case notApplicable(String)
}

/// What came of all.
public struct EngineReport: Sendable {
    public internal(set) var verdicts: [(requirement: EngineRequirement, verdict: EngineVerdict)] =
        []

    /// Whether nothing is wrong.
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

/// Why a case ends early.
enum EngineCaseEnd: Error {
    case violated(String)
    case notApplicable(String)
}
