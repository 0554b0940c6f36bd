import BrowserSessions
public import StorageEngines

/// Opens stores of numbered files in a directory.
///
/// Nothing is ever changed in place. `00000042.log` holds batches as they were written;
/// `00000042.snapshot` holds the combined result of the logs below 42. Each run of the program
/// begins a new log. A store is the newest snapshot and the logs from its number on. The snapshot
/// before it is kept with its logs, in case the newest cannot be read. A file gets its name once
/// its beginning is durable; until then it is called `.new`, and is removed if it never gets
/// further.
public struct DirectoryEngine: SalvagingFileEngine {
    static let name = "directory"

    public var name: String { Self.name }
    public var formatVersion: Int { 2 }
    public var abilities: EngineAbilities {
        EngineAbilities(
            durability: .powerLoss, limits: .none, findsDamage: true, opensReaders: true)
    }
    /// What the options of the backend decide.
    public var settings = DirectorySettings()

    /// Creates an engine that begins a new log file at 16 MiB; see ``settings``.
    public init() {}

    public func recognizes(_ names: [String]) -> Bool {
        names.contains { Replay.number(of: $0) != nil }
    }

    public func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        var replay = Replay(request.directory)
        try replay.load(wasClosed: request.wasClosed)
        try replay.sweep()
        let store = DirectoryStore(request, replay, settings)
        store.coverManyLogs()
        return store
    }

    public func copyLive(_ directory: any FileDirectory, to copy: LiveStoreCopy) throws {
        try DirectoryLiveCopy(directory).run(to: copy)
    }

    public func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        var salvage = DirectorySalvage(directory)
        return try salvage.run(visit)
    }
}
