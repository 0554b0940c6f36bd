extension ConformanceSuite {
    static let restore: [RequirementCases] =
        restoreFields + restoreOrder + restorePresence + restoreRules + restoreGenerations
        + restoreCost
}
