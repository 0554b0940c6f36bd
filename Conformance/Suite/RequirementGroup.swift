/// The topic of a requirement. Each group is declared with its requirements, below `Cases`.
public struct RequirementGroup: RawRepresentable, Hashable, Sendable {
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

extension RequirementGroup: CaseIterable {
    /// All groups, in the order of the suite.
    public static var allCases: [RequirementGroup] { ConformanceSuite.groups.map(\.group) }
}

extension RequirementGroup: Codable {}

/// A group with everything that belongs to it.
struct SuiteGroup: Sendable {
    let group: RequirementGroup
    let entries: [SuiteEntry]

    init(_ group: RequirementGroup, _ entries: [SuiteEntry]) {
        self.group = group
        self.entries = entries
        for entry in entries {
            precondition(
                entry.requirement.id.hasPrefix("\(group.rawValue)-"),
                "\(entry.requirement.id) stands in the group \(group.rawValue)")
        }
    }
}
