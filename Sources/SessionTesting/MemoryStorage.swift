public import BrowserSessions
import StorageEngines

/// A complete store in memory, so that tests of a host need no files and no disk.
///
/// It is the store of every backend, over an engine that keeps its records in memory, and passes the
/// conformance suite for stores that promise `Durability.memory`. Its calls run on a separate
/// thread, so that the code under test interleaves with other tasks as in production. Its contents
/// end with it, unless ``reopened(maximumStateBytes:)`` passes them on.
///
/// ```swift
/// let storage = MemoryStorage()
/// let host = Host(storage: storage)      // the app under test, which saves into it
/// let next = Host(storage: storage.reopened())   // the same app after a restart
/// ```
public final class MemoryStorage: StorageDecorator {
    private let engine: MemoryEngine
    private let store: OrderedSessionStorage

    /// The store that answers every call.
    public var base: any SessionStorage { store }

    /// The traits of memory: nothing survives the process, and no file contains anything.
    public var traits: StorageTraits {
        var traits = store.traits
        traits.incognitoErasure = .erased
        traits.removalErasure = .erased
        return traits
    }

    /// Creates an empty store.
    ///
    /// - Parameter maximumStateBytes: the maximum size of one state in bytes.
    public convenience init(
        maximumStateBytes: Int = StorageTraits.defaultMaximumStateBytes
    ) {
        self.init(MemoryEngine(), maximumStateBytes)
    }

    private convenience init(_ engine: MemoryEngine, _ maximumStateBytes: Int) {
        let store = Self.inMemory {
            try Self.open(engine, ["maximumStateBytes": .integer(maximumStateBytes)])
        }
        self.init(engine, store)
    }

    /// - Parameter store: a store that is open over the engine.
    init(_ engine: MemoryEngine, _ store: OrderedSessionStorage) {
        (self.engine, self.store) = (engine, store)
    }

    /// Returns a new store with the contents of this one, as after a restart or a kill of the host.
    ///
    /// This store is closed, because a store has one writer: a late save by the old host throws
    /// `closed`. A store that is already closed can also be reopened. The contents are also the
    /// restore point of the new store.
    ///
    /// - Parameter maximumStateBytes: the maximum bytes of one state; `nil` for the former limit.
    public func reopened(maximumStateBytes: Int? = nil) -> MemoryStorage {
        Self.inMemory { try store.closeBlocking() }
        return MemoryStorage(engine.copy(), maximumStateBytes ?? traits.maximumStateBytes)
    }

    /// The entire contents exactly as saved, without repairs: the sessions of both partitions,
    /// ascending, with their tabs in order; `[]` for a new store. It can be read at any time, even
    /// from a closed store, and does not count as a call.
    public var snapshots: [SessionSnapshot] {
        Self.inMemory {
            try Self.open(engine, ["access": .text(StorageAccess.readOnly.rawValue)])
                .snapshotsBlocking()
        }
    }

    /// Whether the store was closed, or passed on by ``reopened(maximumStateBytes:)``.
    public var isClosed: Bool { !engine.isOwned }

    private static func open(_ engine: MemoryEngine, _ options: [String: OptionValue])
        throws(StorageError) -> OrderedSessionStorage
    {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: "memory", options: options), engine: engine)
    }

    /// Returns the result of work that fails only on a medium.
    private static func inMemory<Success>(_ work: () throws -> Success) -> Success {
        do {
            return try work()
        } catch { preconditionFailure("a store in memory failed: \(error)") }
    }
}
