/// The cases to run: all, or those that every given list allows.
public struct CaseSelection: Hashable, Sendable {
    /// Groups such as `SAVE`; empty for all groups.
    public var groups: [String]
    /// Requirements such as `SAVE-3`; empty for all requirements.
    public var requirements: [String]
    /// Cases such as `SAVE-3 a set over three sessions`; empty for all cases.
    public var cases: [String]

    /// Creates a selection; by default, of every case.
    public init(groups: [String] = [], requirements: [String] = [], cases: [String] = []) {
        self.groups = groups
        self.requirements = requirements
        self.cases = cases
    }

    /// Whether the selection includes every case.
    public var isWhole: Bool { groups.isEmpty && requirements.isEmpty && cases.isEmpty }

    /// Returns the chosen cases, in the order of the suite.
    ///
    /// Throws ``UnknownName`` for a name that the suite does not have, so that a misspelled filter
    /// never looks like a short, successful run.
    public func select(from all: [ConformanceCase] = ConformanceSuite.cases) throws
        -> [ConformanceCase]
    {
        try check(groups, "group", known: RequirementGroup.allCases.map(\.rawValue))
        try check(requirements, "requirement", known: all.map(\.requirement.id))
        try check(cases, "case", known: all.map(\.id))
        return all.filter { testCase in
            (groups.isEmpty || groups.contains(testCase.requirement.group.rawValue))
                && (requirements.isEmpty || requirements.contains(testCase.requirement.id))
                && (cases.isEmpty || cases.contains(testCase.id))
        }
    }

    private func check(_ names: [String], _ kind: String, known: [String]) throws {
        if let name = names.first(where: { !known.contains($0) }) {
            throw UnknownName("the suite has no \(kind) '\(name)'")
        }
    }
}

/// An error for a filter that names something unknown.
public struct UnknownName: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
