extension ConformanceSuite {
    static let restore: [RequirementCases] = []
}
