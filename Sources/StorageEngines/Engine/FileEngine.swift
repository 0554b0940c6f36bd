public import BrowserSessions

/// An engine that keeps the records of each partition of a store in files of a directory.
///
/// The directory belongs to the partition alone and is locked; the engine does not handle its
/// markers, locks and copies. It may be moved while the store is open.
public protocol FileEngine: StorageEngine {
    /// Returns whether files with these names may be this engine's. There is at least one name.
    /// The files are in the directory of a partition in a store that has lost its identity.
    func recognizes(_ names: [String]) -> Bool

    /// Opens the records in a directory that is empty or was filled by this engine.
    ///
    /// Throws `StorageError.Code.corrupted`, and leaves the files unchanged, if they are damaged.
    func open(_ request: OpenRequest) throws -> any OrderedByteStore

    /// Copies the files of a partition while another opener, of this process or another one, has it
    /// open and writes to it.
    ///
    /// The copy is a state that a kill could have left: opened as one that was not closed, it holds
    /// the batches up to one of them, and at least those that were durable when the call began. No
    /// file of the partition changes, no lock of its opener is lost, and no write of it waits for
    /// longer than a sync. ``LiveStoreCopy/changed(_:)``, and `StorageError.Code.notFound` for a file
    /// that vanished, mean that the call is made again with an empty folder. Called only if
    /// ``EngineAbilities/opensReaders`` is `true`.
    func copyLive(_ directory: any FileDirectory, to copy: LiveStoreCopy) throws

    /// Removes what no opening needs, such as messages of a library, from the files of a partition that is
    /// closed, so that no backup has it. Nothing by default.
    func removeDispensable(in directory: any FileDirectory) throws
}

extension FileEngine {
    public func removeDispensable(in directory: any FileDirectory) throws {}

    /// Throws `StorageError.Code.unsupported`, for engines that open no readers.
    public func copyLive(_ directory: any FileDirectory, to copy: LiveStoreCopy) throws {
        throw StorageError.withoutReaders(name)
    }
}

/// What a ``FileEngine`` receives when a partition is opened.
public struct OpenRequest: Sendable {
    /// The directory of the partition, which is empty or was filled by this engine.
    public var directory: any FileDirectory
    /// Whether the store was closed cleanly, so that no write can be unfinished.
    ///
    /// If `true`, an unfinished end is damage, to be kept and not cut off. If `false`, what can be
    /// read may not be durable, whichever process wrote it: see
    /// ``OrderedByteStore/write(_:durably:)``.
    public var wasClosed: Bool
    /// The clock and the randomness that the engine uses.
    public var environment: StoreEnvironment
    /// Notes, durably, that the files are not as they were closed; costs next to nothing once that
    /// is noted. An engine calls this before it changes a file of its own accord, while it opens or
    /// closes, and while it opens only once it has found no damage: a power cut in between leaves
    /// what looks like damage in a closed store. Before the first write and before maintenance the
    /// store calls it itself, so that a store in which nothing changes stays closed.
    public var willChange: @Sendable () throws(StorageError) -> Void

    /// Creates a request, by default for the system's environment and with no marker to remove.
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

/// A file engine that reads damaged files itself. Other engines open a copy, which is scanned.
public protocol SalvagingFileEngine: FileEngine {
    /// Visits every record that can still be read from damaged files. Several versions of a record
    /// may come, in any order, but of those from one change set the one that was written last comes
    /// last; and no record that is known to have been removed.
    ///
    /// Changes nothing, so that it can be repeated, and holds only parts of files in memory.
    /// Returns notes for the report, without content.
    func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String]
}
