extension ConformanceSuite {
    static let configuration: [RequirementCases] = []
}
