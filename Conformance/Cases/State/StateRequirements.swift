extension RequirementGroup {
    /// The blobs of tabs: read on demand, kept byte for byte, moving with their tab.
    public static let state = RequirementGroup(
        "STATE",
        """
        The blobs of tabs: read on demand, kept byte for byte, moving with their tab.
        """)
}

extension ConformanceSuite {
    static let state: [SuiteEntry] = stateReading + stateChanging + stateBytes
}
