public import BrowserSessions

/// What keeps the records of stores: all that the author of a backend writes.
///
/// A ``FileEngine`` keeps files in a directory that it receives; a ``ConnectedEngine`` keeps
/// records in memory, on a server, or in another process. ``OrderedSessionStorage`` makes a
/// `SessionStorage` of either. It owns the meaning of keys and values, checksums, sequence numbers,
/// locks, incognito and recovery; the engine keeps exactly what it receives and never interprets
/// it.
public protocol StorageEngine: Sendable {
    /// The backend's name, which is written into every store: `sqlite`.
    var name: String { get }

    /// The version of the format that the engine writes. A store with a higher one is refused
    /// unchanged.
    var formatVersion: Int { get }

    /// What the engine can do. A store assumes nothing else.
    var abilities: EngineAbilities { get }

    /// The executor for the calls of its stores; `StoreExecutor.unlimited` by default.
    var executor: StoreExecutor { get }
}

extension StorageEngine {
    public var executor: StoreExecutor { .unlimited }
}

/// What an engine guarantees.
public struct EngineAbilities: Hashable, Sendable {
    /// The highest durability that a write reaches.
    ///
    /// Stores promise no more, use it as their default, and refuse saves that ask for more as
    /// `StorageError.Code.unsupported`. An engine without a medium uses `Durability.memory`.
    public var durability: Durability
    /// The largest keys, values and batches.
    public var limits: EngineLimits
    /// Whether the engine detects damage to its files by itself, and survives it.
    ///
    /// An engine over a library that trusts its files uses `false`: a truncated or changed file
    /// ends the process, as it may where files are mapped into memory. Stores then note checksums
    /// of the files when they are closed, check every byte before the engine reads it again, and
    /// give the engine copies without the damage. A store that was killed has no checksums: every
    /// engine must survive what a kill or a power cut leaves. An engine without files uses `true`.
    public var findsDamage: Bool
    /// Whether stores can be opened for reading beside their owner: a file engine then copies live
    /// files, see ``FileEngine/copyLive(_:to:)``, and a connected one has views, see
    /// ``ConnectedEngine/view(_:)``.
    public var opensReaders: Bool

    /// Creates abilities from what a write survives, the limits, and whether damage is detected. By
    /// default, no reader is opened beside the owner.
    public init(
        durability: Durability, limits: EngineLimits, findsDamage: Bool, opensReaders: Bool = false
    ) {
        self.durability = durability
        self.limits = limits
        self.findsDamage = findsDamage
        self.opensReaders = opensReaders
    }
}

/// The limits of an engine. Nothing larger reaches it: a save is refused as
/// `StorageError.Code.tooLarge`, and the store does its own work in parts.
public struct EngineLimits: Hashable, Sendable {
    /// Bytes of one value. A state blob is a few bytes longer than the host's data.
    public var valueBytes: Int
    /// Bytes of all keys and values in one batch.
    public var batchBytes: Int
    /// Puts and removals in one batch.
    public var batchOperations: Int

    /// The length of the longest key, in bytes. An engine must support keys of this length.
    public static let keyBytes = RecordKey.maximumLength

    /// No limits but memory.
    public static let none = EngineLimits(
        valueBytes: .max, batchBytes: .max, batchOperations: .max)

    /// Creates limits. `Int.max` means that there is no limit.
    public init(valueBytes: Int, batchBytes: Int, batchOperations: Int) {
        self.valueBytes = valueBytes
        self.batchBytes = batchBytes
        self.batchOperations = batchOperations
    }
}

extension EngineLimits {
    /// The largest state blob that fits, with what is stored about it.
    var stateBytes: Int { max(0, min(valueBytes, batchBytes) - 4096) }

    /// Returns whether a batch twice as large may be too large.
    func areHalfReached(by batch: ByteBatch) -> Bool {
        batch.byteCount > batchBytes / 2 || batch.operations.count > batchOperations / 2
    }

    /// Throws `StorageError.Code.tooLarge` if the batch exceeds a limit.
    func require(_ batch: ByteBatch) throws(StorageError) {
        guard self != .none else { return }
        let (bytes, count) = (batch.byteCount, batch.operations.count)
        guard bytes <= batchBytes, count <= batchOperations else {
            throw StorageError(
                .tooLarge,
                """
                the changes are \(count) records of \(bytes) bytes; this backend takes \
                \(batchOperations) records and \(batchBytes) bytes at once: save fewer tabs at a time
                """)
        }
        for case .put(_, _, let value) in batch.operations where value.count > valueBytes {
            throw StorageError(
                .tooLarge,
                "a record has \(value.count) bytes; this backend takes \(valueBytes) at most")
        }
    }
}

/// Receives a record, which is valid during the call only.
public typealias RecordVisitor = (
    _ space: KeySpace, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
) throws -> Void

/// Visits records and returns notes without content.
typealias RecordSource = (_ visit: RecordVisitor) throws -> [String]
