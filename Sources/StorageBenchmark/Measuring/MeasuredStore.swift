import BrowserSessions
import StorageEngines

/// A store by its measured interface. This is the synchronous interface if it exists, so that the
/// hop to a queue is not measured. Otherwise, it is the asynchronous protocol.
enum MeasuredStore {
    case blocking(any BlockingSessionStorage)
    case tasks(any SessionStorage)

    init(_ store: any SessionStorage) {
        if let store = store as? any BlockingSessionStorage {
            self = .blocking(store)
        } else {
            self = .tasks(store)
        }
    }

    var storage: any SessionStorage {
        switch self {
        case .blocking(let store): store
        case .tasks(let store): store
        }
    }

    var traits: StorageTraits {
        switch self {
        case .blocking(let store): store.traits
        case .tasks(let store): store.traits
        }
    }

    func save(_ changes: SessionChanges, _ durability: Durability) async throws(StorageError) {
        switch self {
        case .blocking(let store): _ = try store.saveBlocking(changes, durability: durability)
        case .tasks(let store): _ = try await store.save(changes, durability: durability)
        }
    }

    func restore(_ id: SessionID) async throws(StorageError) -> RestoredSession? {
        try await restore([id]).first
    }

    func restore(_ ids: [SessionID]) async throws(StorageError) -> [RestoredSession] {
        switch self {
        case .blocking(let store): try store.restoreBlocking(ids)
        case .tasks(let store): try await store.restore(ids)
        }
    }

    func summaries() async throws(StorageError) -> [SessionSummary] {
        switch self {
        case .blocking(let store): try store.summariesBlocking()
        case .tasks(let store): try await store.summaries()
        }
    }

    func states(of keys: [TabStateKey]) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        switch self {
        case .blocking(let store): try store.statesBlocking(of: keys)
        case .tasks(let store): try await store.states(of: keys)
        }
    }

    func sessions() async throws(StorageError) -> [SessionID] {
        switch self {
        case .blocking(let store): try store.sessionsBlocking()
        case .tasks(let store): try await store.sessions()
        }
    }

    func deleteIncognito() async throws(StorageError) {
        switch self {
        case .blocking(let store): try store.deleteIncognitoBlocking()
        case .tasks(let store): try await store.deleteIncognito()
        }
    }

    func close() async throws(StorageError) {
        switch self {
        case .blocking(let store): try store.closeBlocking()
        case .tasks(let store): try await store.close()
        }
    }
}
