extension ConformanceSuite {
    static let concurrency: [RequirementCases] = []
}
