import SessionSamples
import Synchronization
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

/// A store over the scripted engine, in a directory of its own.
final class StoreFixture {
    let folder = TemporaryFolder()
    let engine = ScriptedEngine()
    private let environment: StoreEnvironment
    private(set) var store: OrderedSessionStorage

    init(in environment: StoreEnvironment = .system) throws {
        self.environment = environment
        store = try engine.open(folder, in: environment)
    }

    func open() throws { store = try engine.open(folder, in: environment) }

    func reopen() throws {
        try store.closeBlocking()
        try open()
    }

    /// The records behind the store's back.
    func records(_ partition: StoragePartition = .regular) throws -> MemoryByteStore {
        try engine.records(
            in: PosixDirectory(opening: "\(folder.store)/\(partition.rawValue)"))
    }

    func metadata(_ partition: StoragePartition = .regular) throws -> SortedRecords {
        try records(partition).bytes.withLock { $0[.metadata] ?? .init() }
    }

    func edit(_ edit: (inout MemoryRecords) -> Void) throws {
        try records().bytes.withLock { edit(&$0) }
    }

    @discardableResult
    func save(_ window: SessionSnapshot, replacing: RestoredSession? = nil) throws -> SaveReceipt {
        try store.saveBlocking(
            SessionChanges(saving: window, replacing: replacing), durability: .powerLoss)
    }

    @discardableResult
    func save(_ change: SessionChanges.Change) throws -> SaveReceipt {
        var changes = SessionChanges()
        changes.add(change)
        return try store.saveBlocking(changes, durability: .powerLoss)
    }

    /// All sessions with their states, as the store gives them.
    func content() throws -> [SessionSnapshot] {
        try store.sessionsBlocking().compactMap { id in
            guard let session = try store.restoreBlocking([id]).first else { return nil }
            let keys = try store.stateKeysBlocking(in: id)
            let states = try store.statesBlocking(of: keys)
            return SessionSnapshot(
                id: id, attributes: session.attributes,
                tabs: session.tabs.map { tab in
                    let own = states.filter { $0.key.tab == tab.id }
                    return TabSnapshot(
                        metadata: tab,
                        states: own.reduce(into: [:]) { $0[$1.key.name] = $1.value })
                }, nodes: session.nodes)
        }
    }

    static func window(_ tabs: Int, seed: UInt64 = 1, kind: SessionKind = .regular)
        -> SessionSnapshot
    {
        var sampler = SessionSampler(seed: seed)
        return sampler.window(tabs: tabs, kind: kind, state: .navigationOnly)
    }

    /// The key under which a tab's record lies.
    static func key(of tab: TabSnapshot, in window: SessionSnapshot) -> [UInt8] {
        RecordKey.record(.tab(tab.metadata.id), in: window.id).bytes
    }
}

extension ScriptedEngine {
    /// Opens the store in a folder, or a new one.
    func open(
        _ folder: TemporaryFolder, _ options: [String: OptionValue] = [:],
        in environment: StoreEnvironment = .system
    ) throws -> OrderedSessionStorage {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: folder.store, options: options), engine: self,
            in: environment)
    }
}

extension OrderedSessionStorage {
    /// The session as it was at the newest restore point.
    func earlier(_ id: SessionID) throws(StorageError) -> RestoredSession? {
        guard let point = try restorePointsBlocking().first else { return nil }
        return try restoreBlocking([id], at: .point(point.id)).first
    }
}

extension SessionSnapshot {
    /// The same snapshots, ordered as a store lists sessions.
    static func ordered(_ snapshots: [SessionSnapshot]) -> [SessionSnapshot] {
        snapshots.sorted { $0.id < $1.id }
    }
}
