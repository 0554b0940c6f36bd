import BrowserSessions

/// What a file may ask of the reader. Every count and size is checked before memory is taken.
public struct ImportLimits: Hashable, Sendable {
    /// The most bytes of one file, and of what a compressed file unfolds to: 512 MiB.
    public var maximumFileBytes = 512 * 1024 * 1024
    /// How many times larger than a file what it unfolds to may be, for compressed files and for
    /// archives whose values share others: 64.
    public var maximumUnfolding = 64
    /// The most bytes of one state blob: 16 MiB, as `StorageTraits.maximumStateBytes` of most stores.
    /// A larger one of an engine is left out, of a history the states of pages and then the oldest
    /// entries, and that is reported.
    public var maximumStateBytes = StorageTraits.defaultMaximumStateBytes
    /// The most bytes of what is kept of a tab or of a window beside its states: 1 MiB, as every store
    /// takes. Of more, the icon's address is left out, then properties, the largest first, and that is
    /// reported.
    public var maximumMetadataBytes = 1 << 20
    /// The most tabs of one source; the rest is left out and reported.
    public var maximumTabs = 100_000
    /// The most parts of one file: records of a log, values of a JSON text, fields of a protobuf
    /// message, or lines. What follows is left out and reported.
    public var maximumParts = 4_000_000
    /// The most history entries of one tab; the oldest are left out and reported.
    public var maximumEntriesPerTab = 5_000
    /// How deep folders are searched, below the one that was given.
    public var maximumFolderDepth = 6
    /// The most files and folders of one import that are looked at, outside of profiles.
    public var maximumFiles = 1_000_000
    /// The most places with sessions of one import that are read: single files, session directories,
    /// and profiles, of whose files the browser would choose. With `ImportScope.everything` each file
    /// of a profile is one.
    public var maximumSources = 10_000
    /// The most problems listed for one source; further ones are only counted.
    public var maximumProblems = 500

    /// The limits above.
    public init() {}

    /// The most bytes that a file of so many may unfold to.
    func room(unfolding bytes: Int) -> Int {
        let (room, isOver) = bytes.multipliedReportingOverflow(by: max(maximumUnfolding, 1))
        return isOver ? maximumFileBytes : min(room, maximumFileBytes)
    }
}
