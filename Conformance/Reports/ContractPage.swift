/// The requirements as a page: the contract between browsers and backends.
public struct ContractPage: Codable, Hashable, Sendable {
    /// One requirement as data.
    public struct Entry: Codable, Hashable, Sendable {
        /// The identifier, such as `SAVE-3`.
        public let id: String
        /// The group that the identifier begins with.
        public let group: RequirementGroup
        /// How binding the sentence is.
        public let level: Requirement.Level
        /// The sentence.
        public let statement: String
        /// What a store or its harness must be able to do for the sentence to apply.
        public let needs: [Capability]
        /// The first revision of the suite that had the requirement.
        public let revision: SuiteRevision
        /// Whether the requirement is run and reported but does not count.
        public let isProvisional: Bool
        /// The names of the cases, without the identifier of the requirement.
        public let cases: [String]
    }

    /// The revision of the suite that the page describes.
    public let suite: SuiteRevision
    /// All requirements by group, and by number within a group.
    public let requirements: [Entry]

    /// Creates a page of all requirements, including provisional ones.
    public init() {
        suite = .current
        requirements = ConformanceSuite.entries.map { list in
            Entry(
                id: list.requirement.id, group: list.requirement.group,
                level: list.requirement.level, statement: list.requirement.statement,
                needs: list.requirement.needs, revision: list.requirement.revision,
                isProvisional: list.requirement.isProvisional, cases: list.cases.map(\.name))
        }.sorted(by: Entry.precedes)
    }

    /// Returns the page; `nil` for ``ReportFormat/junit`` and ``ReportFormat/promises``.
    public func formatted(_ format: ReportFormat) throws -> String? {
        switch format {
        case .text: requirements.map { "\($0.id) \($0.words)\n" }.joined()
        case .markdown: markdown
        case .json: try ReportJSON.encode(self)
        case .junit, .promises: nil
        }
    }
}

extension ContractPage.Entry {
    fileprivate var words: String {
        let needs = needs.isEmpty ? "" : "; needs \(needs.map(\.rawValue).joined(separator: ", "))"
        return "(\(level.rawValue)\(isProvisional ? ", provisional" : "")\(needs)) \(statement)"
    }

    /// Orders entries by group, and by number within a group.
    fileprivate static func precedes(_ left: Self, _ right: Self) -> Bool {
        left.order.lexicographicallyPrecedes(right.order)
    }

    private var order: [Int] {
        let number = id.drop { $0 != "-" }.dropFirst()
        return [RequirementGroup.allCases.firstIndex(of: group) ?? 0, Int(number) ?? 0]
    }
}
