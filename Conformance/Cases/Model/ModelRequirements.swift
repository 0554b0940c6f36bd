extension ConformanceSuite {
    static let model: [RequirementCases] = []
}
