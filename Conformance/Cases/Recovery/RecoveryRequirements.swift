extension ConformanceSuite {
    static let recovery: [RequirementCases] = []
}
