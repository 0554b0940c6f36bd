extension ImportLimits {
    /// The values of ``init()``.
    public static let defaults = ImportLimits()

    /// Creates limits from the given values, and from ``defaults`` for all others.
    public init(
        maximumFileBytes: Int = Self.defaults.maximumFileBytes,
        maximumUnfolding: Int = Self.defaults.maximumUnfolding,
        maximumStateBytes: Int = Self.defaults.maximumStateBytes,
        maximumMetadataBytes: Int = Self.defaults.maximumMetadataBytes,
        maximumTabs: Int = Self.defaults.maximumTabs,
        maximumParts: Int = Self.defaults.maximumParts,
        maximumEntriesPerTab: Int = Self.defaults.maximumEntriesPerTab,
        maximumFolderDepth: Int = Self.defaults.maximumFolderDepth,
        maximumFiles: Int = Self.defaults.maximumFiles,
        maximumSources: Int = Self.defaults.maximumSources,
        maximumProblems: Int = Self.defaults.maximumProblems
    ) {
        self.maximumFileBytes = maximumFileBytes
        self.maximumUnfolding = maximumUnfolding
        self.maximumStateBytes = maximumStateBytes
        self.maximumMetadataBytes = maximumMetadataBytes
        self.maximumTabs = maximumTabs
        self.maximumParts = maximumParts
        self.maximumEntriesPerTab = maximumEntriesPerTab
        self.maximumFolderDepth = maximumFolderDepth
        self.maximumFiles = maximumFiles
        self.maximumSources = maximumSources
        self.maximumProblems = maximumProblems
    }
}
