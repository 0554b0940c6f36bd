/// Which cases of the suite to run: all, or those that every given list allows.
public struct CaseSelection: Hashable, Sendable {
    /// `SAVE`; all groups if it is empty.
    public var groups: [String]
    /// `SAVE-3`; all requirements if it is empty.
    public var requirements: [String]
    /// `SAVE-3 a set over three sessions`; all cases if it is empty.
    public var cases: [String]

    public init(groups: [String] = [], requirements: [String] = [], cases: [String] = []) {
        self.groups = groups
        self.requirements = requirements
        self.cases = cases
    }

    /// Whether nothing is left out.
    public var isWhole: Bool { groups.isEmpty && requirements.isEmpty && cases.isEmpty }

    /// The chosen cases, in the order of the suite.
    ///
    /// Throws ``UnknownName`` for a name that the suite does not have, so that a misspelt filter is
    /// never taken for a short, green run.
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

/// A filter names something that does not exist.
public struct UnknownName: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
