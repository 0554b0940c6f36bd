extension ConformanceSuite {
    static let incognito: [RequirementCases] = []
}
