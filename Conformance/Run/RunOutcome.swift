/// The overall result of a run.
public enum RunOutcome: String, Codable, Hashable, Sendable, CaseIterable {
    /// Every applicable *must* requirement was tried and holds.
    case conformant
    /// A *must* requirement does not hold, or the baseline or the number of cases is wrong.
    case violation
    /// Nothing failed unexpectedly, but not everything was tried, or failures were expected.
    case partial
    /// The harness or the machine is at fault, so the run says nothing about the backend.
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

    /// Returns the worst of several outcomes.
    static func worst(_ outcomes: [RunOutcome]) -> RunOutcome {
        let order: [RunOutcome] = [.harnessError, .violation, .partial]
        return order.first(where: outcomes.contains) ?? .conformant
    }
}

extension ConformanceReport {
    /// The exit code of a tool: that of ``outcome``, or 0 if the run is partial only because part
    /// of the suite was chosen. The chosen part then holds, but that is no certificate, so the
    /// outcome stays ``RunOutcome/partial``.
    public var exitCode: Int32 { isAnswered ? 0 : outcome.exitCode }

    /// A description of the result.
    public var summary: String {
        isAnswered && outcome == .partial ? "no violation in what was chosen" : outcome.words
    }

    private var isAnswered: Bool {
        !harnesses.isEmpty
            && harnesses.allSatisfy { $0.outcome == .conformant || $0.isPassedSelection }
    }
}

extension HarnessReport {
    /// Whether part of the suite was chosen, some of it was tried, and nothing binding in it fails,
    /// expected or not.
    public var isPassedSelection: Bool {
        let binding = requirements.filter { $0.level == .must && !$0.isProvisional }
        return isFiltered && outcome == .partial && counts.contains { $0.graded > 0 }
            && !binding.flatMap(\.cases).contains { $0.verdict == .expectedFailure }
    }

    /// A description of the result and of what it does not cover.
    public var summary: String {
        if isPassedSelection, let chosenPart {
            return "no violation in \(chosenPart); nothing is said of the others" + untriedWords
        }
        let part = chosenPart.map { ", of \($0)" } ?? ""
        return outcome.words + part + untriedWords
    }

    private var untriedWords: String {
        untried.isEmpty ? "" : "; not tried: \(untried.joined(separator: ", "))"
    }
}
