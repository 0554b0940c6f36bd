import BrowserSessions

/// A partition of a connected store, as recovery and the sides want it.
final class ConnectedStore: OrderedByteStore {
    private let home: ConnectedHome
    private let partition: String

    init(_ partition: String, of home: ConnectedHome) {
        self.home = home
        self.partition = partition
    }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        try home.use { try $0.value(of: key, in: space, of: partition) }
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try home.use { connection in
            try connection.scan(space, of: partition, prefix: prefix) { key, value in
                home.noteProgress()
                try visit(key, value)
            }
        }
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        try home.use { try $0.write(batch, to: partition, durably: durably) }
    }

    func sync() throws { try home.use { try $0.sync() } }

    func verify() -> [String] { [] }
    func close() {}
}
