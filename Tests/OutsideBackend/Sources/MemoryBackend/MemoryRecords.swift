import BrowserSessions
import Synchronization

/// The records of one store, in the order of their keys.
final class MemoryRecords: Sendable {
    private struct Table {
        var keys: [[UInt8]] = []
        var values: [[UInt8]: [UInt8]] = [:]

        /// The place of the key, or of the first one behind it.
        func place(of key: [UInt8]) -> Int {
            var (low, high) = (0, keys.count)
            while low < high {
                let middle = (low + high) / 2
                if keys[middle].lexicographicallyPrecedes(key) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }

        mutating func put(_ value: [UInt8], for key: [UInt8]) {
            if values.updateValue(value, forKey: key) == nil {
                keys.insert(key, at: place(of: key))
            }
        }

        mutating func remove(_ key: [UInt8]) {
            if values.removeValue(forKey: key) != nil { keys.remove(at: place(of: key)) }
        }
    }

    private let tables = Mutex<[KeySpace: Table]>([:])

    func value(of key: [UInt8], in space: KeySpace) -> [UInt8]? {
        tables.withLock { $0[space]?.values[key] }
    }

    /// All of the batch, or what is read meanwhile would be half of it.
    func apply(_ batch: ByteBatch) {
        tables.withLock { tables in
            for operation in batch.operations {
                switch operation {
                case .put(let space, let key, let value):
                    tables[space, default: Table()].put(value, for: key)
                case .remove(let space, let key):
                    tables[space]?.remove(key)
                }
            }
        }
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let table = tables.withLock({ $0[space] }) else { return }
        for key in table.keys[table.place(of: prefix)...] {
            guard key.starts(with: prefix) else { return }
            guard let value = table.values[key] else { continue }
            try key.withUnsafeBytes { key in try value.withUnsafeBytes { try visit(key, $0) } }
        }
    }
}
