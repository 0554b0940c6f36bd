import BrowserSessions
internal import CLevelDB
public import StorageEngines

/// Keeps a store in one LevelDB database, the directory `db`.
public struct LevelDBEngine: SalvagingFileEngine {
    static let name = "leveldb"

    public var name: String { Self.name }
    public var formatVersion: Int { LevelDBFormat.version }
    public var abilities: EngineAbilities {
        EngineAbilities(
            durability: .powerLoss, limits: .none, findsDamage: true, opensReaders: true)
    }
    /// What the options of the backend decide.
    public var settings = LevelDBSettings()

    /// Creates an engine that does not compress its tables; see ``settings``.
    public init() {}

    public func recognizes(_ names: [String]) -> Bool {
        names.contains { $0.hasPrefix(LevelDBFormat.directoryName) }
    }

    public func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        let directory = request.directory
        LevelDBMemoryCopy.sweep()
        let isUnused = try LevelDBInspection.isUnused(directory)
        if isUnused { try create(in: directory) }
        let files = try directory.directory(LevelDBFormat.directoryName)
        var inspection: LevelDBInspection?
        if request.wasClosed, !isUnused {
            let found = try LevelDBInspection(of: files)
            try found.requireNoUnfinishedWrites()
            try found.checkTables()
            inspection = found
        }
        // From here on LevelDB writes: a power cut leaves what no clean close leaves.
        try request.willChange()
        return try LevelDBStore(LevelDBDirectory(files, in: directory), settings, inspection)
    }

    /// Makes the database under another name and renames it when it is whole and durable, so that a
    /// database without files is always damage.
    private func create(in directory: any FileDirectory) throws {
        let draft = LevelDBFormat.directoryName + ".new"
        try directory.remove(draft)
        let files = try directory.makeDurableDirectory(draft)
        do { _ = try LevelDBDatabase(opening: files, settings, create: true) }
        try files.sync()
        try directory.rename(draft, to: LevelDBFormat.directoryName)
        try directory.sync()
    }

    public func copyLive(_ directory: any FileDirectory, to copy: LiveStoreCopy) throws {
        try LevelDBLiveCopy(of: directory, to: copy).run()
    }

    public func removeDispensable(in directory: any FileDirectory) throws {
        let files = try directory.directory(LevelDBFormat.directoryName)
        for name in ["LOG", "LOG.old"] { try files.removeEntry(name) }
    }

    public func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        var salvage = try LevelDBSalvage(directory)
        return try salvage.run(visit)
    }
}
