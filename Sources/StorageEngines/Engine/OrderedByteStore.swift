import BrowserSessions

/// Keeps bytes under bytes, in order: what a ``FileEngine`` opens.
///
/// One caller at a time uses a store, so it needs no lock of its own. Errors that are
/// `StorageError` reach the caller as they are, others become `StorageError.Code.failed`.
/// Damage must be thrown as `StorageError.Code.corrupted`, never answered as absence, and no
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
    /// ``EngineAbilities/durability`` goes.) In no case does a later batch survive without
    /// the earlier ones. When it throws, the store is as before; if that cannot be promised, it throws
    /// an error whose effect is `StorageError.Effect.indeterminate`. Nothing more is written then, and
    /// ``close()`` must leave the files as they are.
    func write(_ batch: ByteBatch, durably: Bool) throws

    /// Makes every earlier batch survive a power cut, those of earlier processes too: what opening read may
    /// have come from memory.
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

extension OrderedByteStore {
    /// For engines without work of their own.
    public var wantsMaintenance: Bool { false }

    /// For engines without work of their own.
    public func maintain() {}

    /// For engines that notice nothing.
    public var openingNotes: [String] { [] }

    /// Visits all records as far as they can be read; returns a note where that ended early.
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
