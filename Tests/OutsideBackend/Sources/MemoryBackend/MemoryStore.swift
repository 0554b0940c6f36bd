import BrowserSessions

/// A store of ``MemoryEngine``.
final class MemoryStore: OrderedByteStore {
    private let records: MemoryRecords
    private let name: [UInt8]
    private let engine: MemoryEngine
    private var isClosed = false

    init(_ records: MemoryRecords, name: [UInt8], of engine: MemoryEngine) {
        self.records = records
        self.name = name
        self.engine = engine
    }

    /// Let go without being closed: nothing of it is to be kept. So incognito sides end.
    deinit { if !isClosed { engine.forget(name) } }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        records.value(of: key, in: space)
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try records.scan(space, prefix: prefix, visit)
    }

    func write(_ batch: ByteBatch, durably: Bool) throws { records.apply(batch) }

    /// There is no medium that could be synced, looked after or damaged.
    func sync() throws {}
    var wantsMaintenance: Bool { false }
    func maintain() throws {}
    func verify() throws -> [String] { [] }
    var openingNotes: [String] { [] }

    func close() throws { isClosed = true }
}
