/// One test of one requirement, as data: it imports no test framework and runs anywhere.
public struct ConformanceCase: Sendable, Identifiable {
    public let requirement: Requirement
    /// What is tried: `a set over three sessions`.
    public let name: String
    /// The longest that the case may take.
    public let timeLimit: Duration
    /// Where the case stands.
    public let place: SourcePlace
    /// Throws a ``Violation`` if the requirement does not hold.
    let body: @Sendable (CaseContext) async throws -> Void

    /// `SAVE-3 a set over three sessions`.
    public var id: String { "\(requirement.id) \(name)" }
}

extension ConformanceCase: CustomStringConvertible {
    public var description: String { id }
}
