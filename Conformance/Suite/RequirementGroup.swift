/// The topic of a requirement. Each group is declared with its requirements, below `Cases`.
public struct RequirementGroup: RawRepresentable, Hashable, Sendable, Codable {
    /// The prefix of its requirements' ids, such as `SAVE`.
    public let rawValue: String
    /// One sentence about the topic of the requirements.
    public let explanation: String

    init(_ rawValue: String, _ explanation: String) {
        self.rawValue = rawValue
        self.explanation = explanation
    }

    /// Finds the group of the suite with this name; `nil` if there is none.
    public init?(rawValue: String) {
        guard let group = Self.allCases.first(where: { $0.rawValue == rawValue }) else {
            return nil
        }
        self = group
    }
}
