extension RequirementGroup {
    /// Change sets: entire or not at all, repeatable, numbered, and invisible until they are done.
    public static let save = RequirementGroup(
        "SAVE",
        """
        Change sets: whole or not at all, repeatable, numbered, and invisible until they are done.
        """)
}

extension ConformanceSuite {
    static let save: [SuiteEntry] =
        saveWholeSets + saveMeaning + saveRefusals + saveRemovals + saveNumbers + saveReceipts
}
