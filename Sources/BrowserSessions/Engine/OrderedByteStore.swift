/// Keeps bytes under bytes, in order: all that an engine must do to become a backend.
///
/// ``OrderedSessionStorage`` turns any engine of this kind into a ``SessionStorage``. It owns the
/// meaning of keys and values, checksums, sequence numbers, locks, incognito and recovery; the
/// store keeps what it is given, exactly, and never looks inside.
///
/// One caller at a time uses a store, so it needs no lock of its own. Errors that are
/// ``StorageError`` reach the caller as they are, others become ``StorageError/Code/failed``.
/// Damage must be thrown as ``StorageError/Code/corrupted``, never answered as absence, and no
/// other trouble (a lock, missing rights, a full disk) may be called corrupted.
public protocol OrderedByteStore: AnyObject {
    /// The value of a key; `nil` if there is none.
    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]?

    /// Visits the records whose key begins with `prefix`, in ascending order of the key's bytes.
    /// The key and the value handed over are valid during the visit only.
    func scan(
        _ space: KeySpace,
        prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws

    /// Applies all operations of the batch or none.
    ///
    /// When it returns, the batch survives the end of the process. If `durably`, it and **every
    /// earlier batch** survive a power cut. (Both as far as
    /// ``ByteStoreEngine/greatestDurability`` goes.) In no case does a later batch survive without
    /// the earlier ones. When it throws, the store is as before; if that cannot be promised, it throws
    /// an error whose effect is ``StorageError/Effect/indeterminate``. Nothing more is written then, and
    /// ``close()`` must leave the files as they are.
    func write(_ batch: ByteBatch, durably: Bool) throws

    /// Makes every earlier batch survive a power cut.
    func sync() throws

    /// Whether ``maintain()`` has something to do.
    var wantsMaintenance: Bool { get }

    /// Work that need not be done within a save: checkpoints, compaction. Called when the store is
    /// idle; takes milliseconds.
    func maintain() throws

    /// Checks what the engine itself can check; returns findings without content, `[]` if all is
    /// well.
    func verify() throws -> [String]

    /// What the engine noticed while opening that is no damage: bytes of a write that never ended.
    var openingNotes: [String] { get }

    /// Releases everything. Not called twice. A store may also be let go without it, when its files
    /// are of no use any more; it must then release its handles by itself.
    func close() throws
}

/// The two families of keys of a store, which an engine should keep apart on its medium: metadata
/// is small and read as a whole, state is large and read one by one.
public enum KeySpace: UInt8, Hashable, Sendable, CaseIterable {
    case metadata = 0x6D
    case state = 0x73
}

/// Puts and removals that belong together; at most one for a key.
public struct ByteBatch: Sendable {
    public enum Operation: Sendable {
        case put(KeySpace, key: [UInt8], value: [UInt8])
        /// Nothing happens if there is no such key.
        case remove(KeySpace, key: [UInt8])
    }

    public private(set) var operations: [Operation] = []
    /// How many bytes the keys and the values of all operations have together.
    public private(set) var byteCount = 0

    /// - Parameter capacity: about how many operations there will be.
    public init(capacity: Int = 0) { operations.reserveCapacity(capacity) }

    public var isEmpty: Bool { operations.isEmpty }

    public mutating func put(_ value: [UInt8], for key: [UInt8], in space: KeySpace) {
        byteCount += key.count + value.count
        operations.append(.put(space, key: key, value: value))
    }

    public mutating func remove(_ key: [UInt8], in space: KeySpace) {
        byteCount += key.count
        operations.append(.remove(space, key: key))
    }
}

/// Opens stores of one engine: what a backend hands to ``OrderedSessionStorage``.
public protocol ByteStoreEngine: Sendable {
    /// The backend's name, written into the store's stamp: `sqlite`.
    var name: String { get }

    /// The version of the engine's files. A store with a higher one is refused, untouched.
    var formatVersion: Int { get }

    /// The most that a save survives in stores of this engine; ``Durability/powerLoss`` unless it
    /// says otherwise.
    ///
    /// Stores claim no more, take it as their default, and refuse saves that ask for more as
    /// ``StorageError/Code/unsupported``. An engine without a medium says ``Durability/memory``.
    var greatestDurability: Durability { get }

    /// Whether files of these names, in the directory of a store whose identity is lost, may be this
    /// engine's; `true` unless it says otherwise. There is at least one.
    func recognizes(_ names: [String]) -> Bool

    /// Opens the store in a directory that exists and is empty, or was filled by this engine.
    ///
    /// The directory is this store's alone and locked; marks, locks and copies of it are somebody
    /// else's business. It may be moved while the store is open.
    ///
    /// A store that was not closed opens like any other. Throws ``StorageError/Code/corrupted`` if
    /// the files are damaged, without changing them.
    func open(_ directory: any FileDirectory) throws -> any OrderedByteStore

    /// The same for a store that was closed in order, so that no write can be unfinished.
    ///
    /// An engine whose opening cuts an unfinished end off must throw
    /// ``StorageError/Code/corrupted`` here instead: the bytes are damaged ones, to be kept.
    func openClosed(_ directory: any FileDirectory) throws -> any OrderedByteStore

    /// Hands over every record that can still be read from a damaged store; several versions of a
    /// record may come, in any order, but none that is known to have been removed.
    ///
    /// Changes nothing, so that it can be done again, and takes memory for parts of files only. Returns
    /// notes for the report, without content.
    func salvage(
        _ directory: any FileDirectory,
        _ emit: (KeySpace, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws
            -> Void
    ) throws -> [String]
}

extension ByteStoreEngine {
    public var greatestDurability: Durability { .powerLoss }

    public func recognizes(_ names: [String]) -> Bool { true }

    /// Opens like any other store: for engines that change no bytes by opening.
    public func openClosed(_ directory: any FileDirectory) throws -> any OrderedByteStore {
        try open(directory)
    }
}
