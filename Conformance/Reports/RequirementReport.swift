/// One requirement with what came of its cases.
public struct RequirementReport: Codable, Hashable, Sendable {
    public let id: String
    public let group: RequirementGroup
    public let level: Requirement.Level
    public let statement: String
    public let isProvisional: Bool
    /// Where the sentence stands in the sources of the suite.
    public let place: SourcePlace
    /// The worst of its cases.
    public let verdict: CaseReport.Kind
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

/// What came of one case.
public struct CaseReport: Codable, Hashable, Sendable {
    /// From the best to the worst.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case notApplicable, notTried, passed, expectedFailure, unexpectedPass, errored, failed

        /// Whether it says something about the backend.
        var isGraded: Bool { ![.notApplicable, .notTried, .errored].contains(self) }

        /// Whether a person should look at it.
        var isNotable: Bool { ![.notApplicable, .notTried, .passed].contains(self) }

        /// For people: `not applicable`.
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

    public let id: String
    public let name: String
    public let verdict: Kind
    /// How it failed, or what is missing.
    public let message: String?
    /// The reason in the baseline.
    public let reason: String?
    public let seconds: Double
    /// Where the case stands in the sources of the suite.
    public let place: SourcePlace
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

    /// What to say of it in one line, `nil` if nothing.
    var remark: String? {
        let parts = [message, reason.map { "the baseline says: \($0)" }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// What helps to look for the cause, in lines.
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
