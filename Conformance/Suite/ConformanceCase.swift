/// One test of one requirement, as data. It imports no test framework and runs anywhere.
public struct ConformanceCase: Sendable, Identifiable {
    /// The requirement that the case tests.
    public let requirement: Requirement
    /// What the case tries: `a set over three sessions`.
    public let name: String
    /// The longest time that the case may take.
    public let timeLimit: Duration
    /// The location of the case in the sources.
    public let place: SourcePlace
    /// Throws a ``Violation`` if the requirement does not hold.
    let body: @Sendable (CaseContext) async throws -> Void

    /// `SAVE-3 a set over three sessions`.
    public var id: String { "\(requirement.id) \(name)" }
}

extension ConformanceCase: CustomStringConvertible {
    public var description: String { id }
}
