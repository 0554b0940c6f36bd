import BrowserSessions

/// One namespace of a connected store, as a byte store for recovery and partitions.
final class NamespaceStore: OrderedByteStore {
    private let root: StoreConnection
    private let namespace: String

    init(_ namespace: String, of root: StoreConnection) {
        self.root = root
        self.namespace = namespace
    }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        try root.use { try $0.value(of: key, in: space, of: namespace) }
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try root.use { connection in
            try connection.scan(space, of: namespace, prefix: prefix) { key, value in
                root.noteProgress()
                try visit(key, value)
            }
        }
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        try root.use { try $0.write(batch, to: namespace, durably: durably) }
    }

    func sync() throws { try root.use { try $0.sync() } }

    func verify() -> [String] { [] }
    func close() {}
}
