import BrowserSessions

/// An ordered map from byte keys to byte values: what a ``FileEngine`` opens.
///
/// Only one caller uses a store at a time, so it needs no lock of its own. `StorageError`s reach
/// the caller unchanged; other errors become `StorageError.Code.failed`. Damage must be thrown as
/// `StorageError.Code.corrupted`, never reported as absence, and no other failure (a lock, missing
/// rights, a full disk) may be reported as corruption.
public protocol OrderedByteStore: AnyObject {
    /// Returns the value of a key, or `nil` if there is none.
    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]?

    /// Visits the records with keys that begin with `prefix`, in ascending order of the key's
    /// bytes. The key and the value are valid during the visit only.
    func scan(
        _ space: KeySpace,
        prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws

    /// Visits the keys of the same records, in the same order. An engine that need not read the values
    /// for this is faster than with ``scan(_:prefix:_:)``, which it calls otherwise.
    func scanKeys(
        _ space: KeySpace, prefix: [UInt8], _ visit: (_ key: UnsafeRawBufferPointer) throws -> Void
    ) throws

    /// Applies all operations of the batch or none.
    ///
    /// When it returns, the batch survives the end of the process. If `durably`, it and **every
    /// earlier batch** survive a power cut. (Both hold as far as ``EngineAbilities/durability``
    /// goes.) A later batch never survives without the earlier ones. When it throws, the store is
    /// unchanged; if that cannot be promised, it throws an error with the effect
    /// `StorageError.Effect.indeterminate`. Nothing more is written then, and ``close()`` must
    /// leave the files unchanged.
    func write(_ batch: ByteBatch, durably: Bool) throws

    /// Makes every earlier batch survive a power cut, including batches of earlier processes: what
    /// opening read may have come from memory.
    func sync() throws

    /// Throws if the files that hold what was written were removed or replaced, as ``NameWatch`` finds out, and
    /// writes nothing any more then. A check that fails says nothing. The core decides when it is due.
    func requirePresence() throws

    /// Whether ``maintain()`` has work to do.
    var wantsMaintenance: Bool { get }

    /// Does work that need not be part of a save, such as checkpoints and compaction. Called when
    /// the store is idle; takes milliseconds.
    func maintain() throws

    /// Checks what the engine can check by itself. Returns findings without content; `[]` if none.
    func verify() throws -> [String]

    /// What the engine noticed while opening that is not damage, such as bytes of a write that
    /// never ended.
    var openingNotes: [String] { get }

    /// Releases all resources. Called at most once. A store with files that are no longer needed
    /// may be released without it and must then release its handles by itself.
    func close() throws
}

extension OrderedByteStore {
    /// Visits the records, for engines that read values with keys.
    public func scanKeys(
        _ space: KeySpace, prefix: [UInt8], _ visit: (_ key: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try scan(space, prefix: prefix) { key, _ in try visit(key) }
    }

    /// Does nothing, for engines without files.
    public func requirePresence() {}

    /// Returns `false`, for engines without work of their own.
    public var wantsMaintenance: Bool { false }

    /// Does nothing, for engines without work of their own.
    public func maintain() {}

    /// Returns no notes, for engines that notice nothing.
    public var openingNotes: [String] { [] }

    /// Visits all readable records. Returns a note for each key space where reading ended early.
    func visitAll(_ visit: RecordVisitor) throws -> [String] {
        var notes: [String] = []
        for space in KeySpace.allCases {
            do {
                try scan(space, prefix: []) { try visit(space, $0, $1) }
            } catch let error as StorageError where error.code == .corrupted {
                notes.append("reading stopped: \(error.message)")
            }
        }
        return notes
    }
}
