import BrowserSessions

/// Records in the order of their keys.
package struct SortedRecords: Equatable, Sendable {
    package private(set) var keys: [[UInt8]]
    private var values: [[UInt8]]

    package init() { (keys, values) = ([], []) }

    init(_ records: [SealedRecords.Record]) {
        let sorted = records.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        keys = sorted.map(\.key)
        values = sorted.map(\.value)
    }

    /// The value of a key; `nil` if there is no record.
    package subscript(key: [UInt8]) -> [UInt8]? {
        get {
            let index = firstIndex(notBefore: key)
            return index < keys.count && keys[index] == key ? values[index] : nil
        }
        set {
            let index = firstIndex(notBefore: key)
            let isThere = index < keys.count && keys[index] == key
            switch (newValue, isThere) {
            case (let value?, true): values[index] = value
            case (let value?, false):
                keys.insert(key, at: index)
                values.insert(value, at: index)
            case (nil, true):
                keys.remove(at: index)
                values.remove(at: index)
            case (nil, false): break
            }
        }
    }

    /// Makes the changes of one key space.
    mutating func apply(_ operations: [ByteBatch.Operation], of space: KeySpace) {
        for operation in operations {
            switch operation {
            case .put(space, let key, let value): self[key] = value
            case .remove(space, let key): self[key] = nil
            case .put, .remove: continue
            }
        }
    }

    /// Visits the records with keys that begin with `prefix`, in order.
    package func scan(
        _ prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        for index in firstIndex(notBefore: prefix)..<keys.count {
            guard keys[index].starts(with: prefix) else { return }
            try keys[index].withUnsafeBytes { key in
                try values[index].withUnsafeBytes { try visit(key, $0) }
            }
        }
    }

    private func firstIndex(notBefore key: [UInt8]) -> Int {
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
}

extension SortedRecords: Sequence {
    package func makeIterator() -> Zip2Sequence<[[UInt8]], [[UInt8]]>.Iterator {
        zip(keys, values).makeIterator()
    }
}
