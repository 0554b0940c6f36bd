extension ConformanceSuite {
    static let crash: [RequirementCases] = []
}
