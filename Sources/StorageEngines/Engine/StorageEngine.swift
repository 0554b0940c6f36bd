public import BrowserSessions

/// What keeps the records of stores: all that an author of a backend writes.
///
/// There are two kinds. A ``FileEngine`` keeps files in a directory that it is given; a
/// ``ConnectedEngine`` has a place of its own: memory, a server, another process. Given one of them,
/// ``OrderedSessionStorage`` is a `SessionStorage`. It owns the meaning of keys and values, checksums,
/// sequence numbers, locks, incognito and recovery; the engine keeps what it is given, exactly, and never
/// looks inside.
public protocol StorageEngine: Sendable {
    /// The backend's name, written into every store: `sqlite`.
    var name: String { get }

    /// The version of what the engine writes. A store with a higher one is refused, untouched.
    var formatVersion: Int { get }

    /// What the engine can do. Nothing is assumed that it does not say.
    var abilities: EngineAbilities { get }

    /// On whose threads its stores work; `StoreExecutor.unlimited` if the engine does not care.
    var executor: StoreExecutor { get }
}

extension StorageEngine {
    public var executor: StoreExecutor { .unlimited }
}

/// What an engine says of itself.
public struct EngineAbilities: Hashable, Sendable {
    /// The most that a write survives.
    ///
    /// Stores claim no more, take it as their default, and refuse saves that ask for more as
    /// `StorageError.Code.unsupported`. An engine without a medium says `Durability.memory`.
    public var durability: Durability
    /// How large keys, values and batches may be.
    public var limits: EngineLimits
    /// Whether the engine notices damage of its files by itself, and survives it.
    ///
    /// One over a library that believes its files says `false`: a file that was cut short or changed ends
    /// the process, as it may where files are mapped into memory. Stores note checksums of its files then
    /// when they are closed, look at every byte before the engine sees it again, and give it copies without
    /// the damage. Of a store that was killed nothing was noted: what a kill or a power cut leaves the engine
    /// must bear in any case. An engine without files says `true`.
    public var findsDamage: Bool

    public init(durability: Durability, limits: EngineLimits, findsDamage: Bool) {
        self.durability = durability
        self.limits = limits
        self.findsDamage = findsDamage
    }
}

/// The largest that an engine takes. What is larger never reaches it: a save is refused as
/// `StorageError.Code.tooLarge`, and the work of the store itself is done in parts.
public struct EngineLimits: Hashable, Sendable {
    /// Bytes of one value. A state blob is a few bytes longer than what the host saves.
    public var valueBytes: Int
    /// Bytes of all keys and values of one batch.
    public var batchBytes: Int
    /// Puts and removals of one batch.
    public var batchOperations: Int

    /// The longest key that a store has. An engine whose keys are shorter cannot be used.
    public static let keyBytes = RecordKey.maximumLength

    /// As much as there is memory.
    public static let none = EngineLimits(
        valueBytes: .max, batchBytes: .max, batchOperations: .max)

    public init(valueBytes: Int, batchBytes: Int, batchOperations: Int) {
        self.valueBytes = valueBytes
        self.batchBytes = batchBytes
        self.batchOperations = batchOperations
    }
}

extension EngineLimits {
    /// The largest blob that fits, with what is stored about it.
    var stateBytes: Int { max(0, min(valueBytes, batchBytes) - 4096) }

    /// Whether a batch that is twice as large may be too large.
    func areHalfReached(by batch: ByteBatch) -> Bool {
        batch.byteCount > batchBytes / 2 || batch.operations.count > batchOperations / 2
    }

    /// Throws `StorageError.Code.tooLarge` if the engine would have to take more than it can.
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

/// Gets a record, which is valid during the call only.
public typealias RecordVisitor = (
    _ space: KeySpace, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
) throws -> Void

/// Visits records, and returns notes without content.
typealias RecordSource = (_ visit: RecordVisitor) throws -> [String]
