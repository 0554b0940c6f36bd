import BrowserSessions

/// The limits that a file must respect. Counts and sizes are checked before memory is allocated.
public struct ImportLimits: Hashable, Sendable {
    /// The maximum size in bytes of one file, and of the content of a compressed file: 512 MiB.
    public var maximumFileBytes = 512 * 1024 * 1024
    /// The maximum ratio of content to file size, for compressed files and for archives with shared
    /// values: 64.
    public var maximumUnfolding = 64
    /// The maximum size in bytes of one state blob: 16 MiB, as `StorageTraits.maximumStateBytes` of
    /// most stores. A larger blob of an engine is left out. A larger history loses the states of
    /// pages, and then its oldest entries. The report lists what was lost.
    public var maximumStateBytes = StorageTraits.defaultMaximumStateBytes
    /// The maximum size in bytes of what is kept of a tab or a window in addition to its states:
    /// 1 MiB, which every store accepts. If there is more, the icon's address is left out, then
    /// properties, the largest first, then a tab's long address. Titles are cut last. See the report.
    public var maximumMetadataBytes = 1 << 20
    /// The maximum number of tabs of one source. Further tabs are left out and reported.
    public var maximumTabs = 100_000
    /// The maximum number of parts of one file: records of a log, values of a JSON text, fields of
    /// a protobuf message, or lines. Further parts are left out and reported.
    public var maximumParts = 4_000_000
    /// The maximum number of history entries of one tab. The oldest are left out and reported.
    public var maximumEntriesPerTab = 5_000
    /// The maximum depth of searched folders, below the given one.
    public var maximumFolderDepth = 6
    /// The maximum number of files and folders that one import examines outside of profiles.
    public var maximumFiles = 1_000_000
    /// The maximum number of sources that one import reads: single files, session directories, and
    /// profiles, in which the browser would choose a file. With `ImportScope.everything`, each file
    /// of a profile counts.
    public var maximumSources = 10_000
    /// The maximum number of problems listed for one source. Further problems are only counted.
    public var maximumProblems = 500

    /// Creates the default limits.
    public init() {}

    /// Returns the maximum content size in bytes of a compressed file of the given size.
    func maximumSize(unfolding bytes: Int) -> Int {
        let (size, isOver) = bytes.multipliedReportingOverflow(by: max(maximumUnfolding, 1))
        return isOver ? maximumFileBytes : min(size, maximumFileBytes)
    }
}
