extension ConformanceSuite {
    static let save: [RequirementCases] = []
}
