/// What the options of the backend decide.
public struct DirectorySettings: Sendable {
    static let defaultSegmentBytes = 16 << 20

    /// The size in bytes at which a new log file is begun.
    public var segmentBytes = defaultSegmentBytes
}
