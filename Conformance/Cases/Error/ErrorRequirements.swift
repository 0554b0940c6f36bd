extension ConformanceSuite {
    static let error: [RequirementCases] = []
}
