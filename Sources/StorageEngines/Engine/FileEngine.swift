public import BrowserSessions

/// An engine that keeps the records of each side of a store in files of a directory.
///
/// The directory is the side's alone and locked; marks, locks and copies of it are somebody else's
/// business. It may be moved while the store is open.
public protocol FileEngine: StorageEngine {
    /// Whether files of these names, in the directory of a side whose store has lost its identity, may
    /// be this engine's. There is at least one.
    func recognizes(_ names: [String]) -> Bool

    /// Opens the records in a directory that exists and is empty, or was filled by this engine.
    ///
    /// Throws `StorageError.Code.corrupted` if the files are damaged, without changing them.
    func open(_ request: OpenRequest) throws -> any OrderedByteStore
}

/// What a ``FileEngine`` is told when a side is opened.
public struct OpenRequest: Sendable {
    public var directory: any FileDirectory
    /// Whether it was closed in order, so that no write can be unfinished.
    ///
    /// An unfinished end is damage then, to be kept, not to be cut off. If it is `false`, what can be
    /// read may not be durable, whoever wrote it: see ``OrderedByteStore/write(_:durably:)``.
    public var wasClosed: Bool
    public var environment: StoreEnvironment
    /// Takes away the mark of an orderly close, durably. An engine that writes files by opening
    /// calls it before, once it has found no damage: a power cut in between leaves what looks like damage
    /// of what was closed. Otherwise it happens when the store is open.
    public var willChange: @Sendable () throws(StorageError) -> Void

    public init(
        _ directory: any FileDirectory, wasClosed: Bool,
        environment: StoreEnvironment = .system,
        willChange: @escaping @Sendable () throws(StorageError) -> Void = {}
    ) {
        self.directory = directory
        self.wasClosed = wasClosed
        self.environment = environment
        self.willChange = willChange
    }
}

/// A file engine that reads damaged files itself. Of any other a copy of them is opened and scanned.
public protocol SalvagingFileEngine: FileEngine {
    /// Hands over every record that can still be read from damaged files; several versions of a
    /// record may come, in any order, but none that is known to have been removed.
    ///
    /// Changes nothing, so that it can be done again, and takes memory for parts of files only. Returns
    /// notes for the report, without content.
    func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String]
}
