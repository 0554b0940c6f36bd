/// What the options of the backend decide.
public struct LevelDBSettings: Sendable {
    /// The compression of the blocks of new tables.
    public var compression = LevelDBCompression.none
}

/// How tables keep their blocks.
public enum LevelDBCompression: String, Sendable, CaseIterable {
    /// Fastest to read.
    case none
    /// Saves about a third of the space; reading a large value takes six times longer.
    case snappy
}
