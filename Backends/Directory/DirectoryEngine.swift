import BrowserSessions
public import StorageEngines

/// Opens stores of numbered files in a directory.
///
/// Nothing is ever changed in place. `00000042.log` holds batches as they were written;
/// `00000042.snapshot` holds what the logs below 42 amount to. Each run of the program begins a new
/// log. A store is the newest snapshot and the logs from its number on; the snapshot before it is
/// kept with its logs, in case the newest cannot be read. A file gets its name once what it begins
/// with is durable; until then it is called `.new`, and swept if that is all that became of it.
public struct DirectoryEngine: SalvagingFileEngine {
    static let name = "directory"
    static let defaultSegmentBytes = 16 << 20

    public var name: String { Self.name }
    public var formatVersion: Int { 2 }
    public var abilities: EngineAbilities {
        EngineAbilities(durability: .powerLoss, limits: .none, findsDamage: true)
    }
    /// The size at which a new log file is begun, in bytes.
    public var segmentBytes = defaultSegmentBytes

    public init() {}

    public func recognizes(_ names: [String]) -> Bool {
        names.contains { Replay.number(of: $0) != nil }
    }

    public func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        var replay = Replay(request.directory)
        try replay.load(wasClosed: request.wasClosed)
        try replay.sweep()
        let store = DirectoryStore(request, replay, segmentBytes: segmentBytes)
        store.coverManyLogs()
        return store
    }

    public func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        var salvage = DirectorySalvage(directory)
        return try salvage.run(visit)
    }
}
