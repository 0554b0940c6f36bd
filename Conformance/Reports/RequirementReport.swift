/// One requirement with the results of its cases.
public struct RequirementReport: Codable, Hashable, Sendable {
    /// The identifier, such as `SAVE-3`.
    public let id: String
    /// The group that the identifier begins with.
    public let group: RequirementGroup
    /// How binding the sentence is.
    public let level: Requirement.Level
    /// The sentence.
    public let statement: String
    /// Whether the requirement is reported but does not count.
    public let isProvisional: Bool
    /// The location of the sentence in the sources of the suite.
    public let place: SourcePlace
    /// The worst verdict among its cases.
    public let verdict: CaseReport.Kind
    /// The results of its chosen cases, in the order of the suite.
    public let cases: [CaseReport]

    init(_ requirement: Requirement, _ results: [CaseResult]) {
        id = requirement.id
        group = requirement.group
        level = requirement.level
        statement = requirement.statement
        isProvisional = requirement.isProvisional
        place = requirement.place
        cases = results.map(CaseReport.init)
        let kinds = cases.map(\.verdict)
        verdict = CaseReport.Kind.allCases.last(where: kinds.contains) ?? .notApplicable
    }

    static func all(of results: [CaseResult]) -> [RequirementReport] {
        var order: [Requirement] = []
        var groups: [Requirement: [CaseResult]] = [:]
        for result in results {
            let requirement = result.testCase.requirement
            if groups[requirement] == nil { order.append(requirement) }
            groups[requirement, default: []].append(result)
        }
        return order.map { RequirementReport($0, groups[$0] ?? []) }
    }
}

/// The result of one case.
public struct CaseReport: Codable, Hashable, Sendable {
    /// The kinds of verdict, from best to worst.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// The kind of the ``Verdict`` of the same name.
        case notApplicable, notTried, passed, expectedFailure, unexpectedPass, errored, failed

        /// Whether the verdict says something about the backend.
        var isGraded: Bool { ![.notApplicable, .notTried, .errored].contains(self) }

        /// Whether a person should examine the verdict.
        var isNotable: Bool { ![.notApplicable, .notTried, .passed].contains(self) }

        /// The verdict in plain text: `not applicable`.
        var words: String {
            switch self {
            case .notApplicable: "not applicable"
            case .notTried: "not tried"
            case .expectedFailure: "expected failure"
            case .unexpectedPass: "unexpected pass"
            case .passed, .failed, .errored: rawValue
            }
        }
    }

    /// The identifier of the case, such as `SAVE-3 a set over three sessions`.
    public let id: String
    /// What the case tries: `a set over three sessions`.
    public let name: String
    /// The kind of the verdict, as the baseline leaves it.
    public let verdict: Kind
    /// How the case failed, or what is missing.
    public let message: String?
    /// The reason from the baseline.
    public let reason: String?
    /// The duration in seconds, rounded to milliseconds; 0 for a case that does not apply.
    public let seconds: Double
    /// The location of the case in the sources of the suite.
    public let place: SourcePlace
    /// What the case left for examination.
    public let evidence: Evidence

    init(_ result: CaseResult) {
        id = result.testCase.id
        name = result.testCase.name
        seconds = (result.duration / .milliseconds(1)).rounded() / 1000
        place = result.testCase.place
        evidence = result.evidence
        (verdict, message, reason) =
            switch result.verdict {
            case .passed: (.passed, nil, nil)
            case .failed(let message): (.failed, message, nil)
            case .notApplicable(let capability):
                (.notApplicable, "needs \(capability.rawValue)", nil)
            case .notTried(let reason): (.notTried, reason, nil)
            case .expectedFailure(let reason, let message): (.expectedFailure, message, reason)
            case .unexpectedPass(let reason): (.unexpectedPass, nil, reason)
            case .errored(let message): (.errored, message, nil)
            }
    }

    /// A one-line remark about the case; `nil` if there is none.
    var remark: String? {
        let parts = [message, reason.map { "the baseline says: \($0)" }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Lines that help to find the cause.
    var clues: [String] {
        var lines = ["at \(place)"]
        if !evidence.said.isEmpty {
            lines.append("its process said:")
            lines += evidence.said.map { "  \($0)" }
        }
        if let kept = evidence.kept { lines.append("its stores are kept in '\(kept)'") }
        if let again = evidence.again { lines.append("again: \(again)") }
        return lines
    }
}
