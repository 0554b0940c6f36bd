public import BrowserSessions
internal import CLevelDB

/// Keeps a store in one LevelDB database, the directory `db`.
public struct LevelDBEngine: ByteStoreEngine {
    static let name = "leveldb"

    public var name: String { Self.name }
    public var formatVersion: Int { LevelDBFormat.version }
    /// How tables written from now on keep their blocks.
    public var compression = LevelDBCompression.none

    public init() {}

    public func open(_ directory: String) throws -> any OrderedByteStore {
        let path = "\(directory)/\(LevelDBFormat.directoryName)"
        if try LevelDBInspection.isUnused(directory) { try create(path, in: directory) }
        return try LevelDBStore(path, compression: compression)
    }

    public func openClosed(_ directory: String) throws -> any OrderedByteStore {
        let path = "\(directory)/\(LevelDBFormat.directoryName)"
        if try !LevelDBInspection.isUnused(directory) {
            try LevelDBInspection(of: path).requireNoUnfinishedWrites()
        }
        return try open(directory)
    }

    /// Makes the database under another name and gives it its own when it is whole and durable,
    /// so that a database without files is always damage.
    private func create(_ path: String, in directory: String) throws {
        let draft = path + ".new"
        try FileSystem.remove(draft)
        try FileSystem.makeDirectory(draft)
        do { _ = try LevelDBDatabase(opening: draft, compression: compression, create: true) }
        try FileSystem.syncDirectory(draft)
        try FileSystem.move(draft, to: path)
        try FileSystem.syncDirectory(directory)
    }

    public func salvage(
        _ directory: String,
        _ emit: (KeySpace, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws
            -> Void
    ) throws -> [String] {
        var salvage = try LevelDBSalvage(directory)
        return try salvage.run(emit)
    }
}
