import BrowserSessions

/// Writes records to a store in parts that its engine accepts and that use little memory.
struct RecordParts {
    private let store: any OrderedByteStore
    private let limits: EngineLimits
    private var part = ByteBatch()

    /// The maximum number of bytes in one write, unless a single record is larger.
    private static let most = 4 << 20

    init(for store: any OrderedByteStore, _ limits: EngineLimits) {
        self.store = store
        self.limits = limits
    }

    mutating func put(_ value: [UInt8], for key: [UInt8], in space: KeySpace) throws {
        let bytes = part.byteCount + key.count + value.count
        if bytes > min(Self.most, limits.batchBytes)
            || part.operations.count >= limits.batchOperations
        {
            try write(durably: false)
        }
        part.put(value, for: key, in: space)
    }

    /// Writes the last part, and makes all of them durable.
    mutating func finish() throws { try write(durably: true) }

    private mutating func write(durably: Bool) throws {
        try store.write(part, durably: durably)
        part = ByteBatch()
    }
}
