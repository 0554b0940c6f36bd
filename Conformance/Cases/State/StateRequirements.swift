extension ConformanceSuite {
    static let state: [RequirementCases] = stateReading + stateChanging + stateBytes
}
