/// The requirements themselves, as a page: the contract between browsers and backends.
public struct ContractPage: Codable, Hashable, Sendable {
    /// One requirement as data.
    public struct Entry: Codable, Hashable, Sendable {
        public let id: String
        public let group: RequirementGroup
        public let level: Requirement.Level
        public let statement: String
        public let needs: [Capability]
        public let revision: SuiteRevision
        public let isProvisional: Bool
        public let cases: [String]
    }

    public let suite: SuiteRevision
    public let requirements: [Entry]

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

    /// The page in a form; there is none for ``ReportFormat/junit`` and ``ReportFormat/promises``.
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

    /// By group, and by number within it.
    fileprivate static func precedes(_ left: Self, _ right: Self) -> Bool {
        left.order.lexicographicallyPrecedes(right.order)
    }

    private var order: [Int] {
        let number = id.drop { $0 != "-" }.dropFirst()
        return [RequirementGroup.allCases.firstIndex(of: group) ?? 0, Int(number) ?? 0]
    }
}
