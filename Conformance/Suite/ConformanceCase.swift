/// One test of one requirement, as data: it imports no test framework and runs anywhere.
public struct ConformanceCase: Sendable, Identifiable {
    public let requirement: Requirement
    /// What is tried: `a set over three sessions`.
    public let name: String
    /// The longest that the case may take.
    public let timeLimit: Duration
    /// Whether the case changes its process, or may be the end of it, and gets one of its own.
    public let isIsolated: Bool
    /// Throws a ``Violation`` if the requirement does not hold.
    let body: @Sendable (CaseContext) async throws -> Void

    /// `SAVE-3 a set over three sessions`.
    public var id: String { "\(requirement.id) \(name)" }
}

extension ConformanceCase: CustomStringConvertible {
    public var description: String { id }
}

/// A requirement with its cases, as the lists of the suite are written.
struct RequirementCases: Sendable {
    let requirement: Requirement
    let cases: [ConformanceCase]

    init(_ requirement: Requirement, _ cases: CaseBody...) { self.init(requirement, cases) }

    /// The same for cases that are made from a list, such as kinds of damage.
    init(_ requirement: Requirement, _ cases: [CaseBody]) {
        self.requirement = requirement
        self.cases = cases.map {
            ConformanceCase(
                requirement: requirement, name: $0.name, timeLimit: $0.timeLimit,
                isIsolated: $0.isIsolated, body: $0.body)
        }
    }
}

/// A case before it is tied to its requirement.
struct CaseBody: Sendable {
    var name: String
    var timeLimit: Duration
    var isIsolated: Bool
    var body: @Sendable (CaseContext) async throws -> Void

    init(
        _ name: String, timeLimit: Duration = .seconds(180), isIsolated: Bool = false,
        _ body: @escaping @Sendable (CaseContext) async throws -> Void
    ) {
        self.name = name
        self.timeLimit = timeLimit
        self.isIsolated = isIsolated
        self.body = body
    }
}
