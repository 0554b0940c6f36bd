extension ConformanceSuite {
    static let state: [RequirementCases] = []
}
