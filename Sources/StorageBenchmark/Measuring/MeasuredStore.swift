import BrowserSessions
import StorageEngines

/// A store by its measured interface. This is the synchronous interface if it exists, so that the
/// hop to a queue is not measured. Otherwise, it is the asynchronous protocol.
struct MeasuredStore {
    let storage: any SessionStorage
    private let blocking: OrderedSessionStorage?

    init(_ storage: any SessionStorage) {
        self.storage = storage
        blocking = storage as? OrderedSessionStorage
    }

    var traits: StorageTraits { storage.traits }

    func save(_ changes: SessionChanges, _ durability: Durability) async throws(StorageError) {
        if let blocking {
            try blocking.saveBlocking(changes, durability: durability)
        } else {
            _ = try await storage.save(changes, durability: durability)
        }
    }

    func restore(_ id: SessionID) async throws(StorageError) -> RestoredSession? {
        try await restore([id]).first
    }

    func restore(_ ids: [SessionID]) async throws(StorageError) -> [RestoredSession] {
        if let blocking { return try blocking.restoreBlocking(ids) }
        return try await storage.restore(ids)
    }

    func summaries() async throws(StorageError) -> [SessionSummary] {
        if let blocking { return try blocking.summariesBlocking() }
        return try await storage.summaries()
    }

    func states(of keys: [TabStateKey]) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        if let blocking { return try blocking.statesBlocking(of: keys) }
        return try await storage.states(of: keys)
    }

    func deleteIncognito() async throws(StorageError) {
        if let blocking { return try blocking.deleteIncognitoBlocking() }
        try await storage.deleteIncognito()
    }

    func close() async throws(StorageError) {
        if let blocking { return try blocking.closeBlocking() }
        try await storage.close()
    }
}
