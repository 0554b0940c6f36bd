extension RequirementGroup {
    /// Groups, splits, spaces, views, containers and trees of tabs: one ordered forest.
    public static let structure = RequirementGroup(
        "STRUCTURE",
        """
        Groups, splits, spaces, views, containers and trees of tabs come back as one ordered forest.
        """)
}

extension ConformanceSuite {
    static let structure: [SuiteEntry] =
        structureFields + structureOrder + structureRefusals + structureRepairs + structureCost
        + structureTimes + structureDamage
}
