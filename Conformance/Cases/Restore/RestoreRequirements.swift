extension RequirementGroup {
    /// Sessions come back as saved, with the metadata of their tabs, without reading their state.
    public static let restore = RequirementGroup(
        "RESTORE",
        """
        Sessions come back as they were saved, with the metadata of their tabs and without reading their state.
        """)
}

extension ConformanceSuite {
    static let restore: [SuiteEntry] =
        restoreFields + restoreOrder + restorePresence + restoreRules + restoreEarlier
        + restoreCost + restoreTogether + restoreSummaries + restorePoints + restorePointSessions
        + restorePointsTaken
}
