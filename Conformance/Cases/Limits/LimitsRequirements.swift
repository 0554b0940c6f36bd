extension ConformanceSuite {
    static let limits: [RequirementCases] = []
}
