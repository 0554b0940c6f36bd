internal import BrowserSessions
internal import StorageEngines

/// Reads LevelDB's encodings with bounds checks.
struct LevelDBCursor {
    private let bytes: ArraySlice<UInt8>
    /// The position, as an index of the bytes.
    private(set) var place: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    var isAtEnd: Bool { place == bytes.endIndex }

    mutating func byte() -> UInt8? {
        guard place < bytes.endIndex else { return nil }
        defer { place += 1 }
        return bytes[place]
    }

    /// Reads a number of 7 bits in each byte, lowest first.
    mutating func number() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = byte() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    /// Reads the same, if it is a number that a sound database may have.
    mutating func storedNumber() -> StoredNumber? { number().flatMap(LevelDBFormat.number) }

    /// Reads the same, as a number of bytes.
    mutating func count() -> Int? { number().flatMap(Int.init(exactly:)) }

    /// Reads a little-endian number of fixed size.
    mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        guard let bytes = take(MemoryLayout<Number>.size) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.endIndex - place else { return nil }
        defer { place += count }
        return bytes[place..<place + count]
    }

    /// Reads bytes that follow their number.
    mutating func string() -> ArraySlice<UInt8>? {
        count().flatMap { take($0) }
    }
}

/// A record of a log: operations that were applied together.
///
///     batch     = sequence:u64 count:u32 operation*
///     operation = 1 key value | 0 key          each after its length; 0 removes
struct LevelDBBatchRecord {
    /// The sequence number of the first operation; each further one has the next number. It may be
    /// invalid: see ``next``.
    let sequence: UInt64
    let operations: [(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>?)]

    /// Returns `nil` if the bytes are not exactly a batch.
    init?(_ bytes: [UInt8]) {
        var cursor = LevelDBCursor(bytes[...])
        guard let sequence = cursor.fixed(UInt64.self), let count = cursor.fixed(UInt32.self)
        else { return nil }
        var operations: [(ArraySlice<UInt8>, ArraySlice<UInt8>?)] = []
        while !cursor.isAtEnd {
            guard let type = cursor.byte(), type <= 1, let key = cursor.string() else { return nil }
            if type == 0 {
                operations.append((key, nil))
            } else if let value = cursor.string() {
                operations.append((key, value))
            } else {
                return nil
            }
        }
        guard operations.count == Int(count) else { return nil }
        self.sequence = sequence
        self.operations = operations
    }

    /// Whether everything before it was durable when it was written.
    var isMarked: Bool {
        guard let first = operations.first else { return false }
        return first.value == nil && first.key.elementsEqual(LevelDBFormat.mark)
    }

    /// Returns whether an incomplete batch is marked, given the beginning that exists.
    static func isMarked(_ beginning: ArraySlice<UInt8>) -> Bool {
        var cursor = LevelDBCursor(beginning)
        guard cursor.fixed(UInt64.self) != nil, cursor.fixed(UInt32.self) != nil,
            cursor.byte() == 0, let key = cursor.string()
        else { return false }
        return key.elementsEqual(LevelDBFormat.mark)
    }

    /// The sequence number of the next batch; `nil` if no sound database reaches it.
    var next: StoredNumber? {
        LevelDBFormat.number(sequence)?.adding(operations.count).flatMap {
            LevelDBFormat.number($0.value)
        }
    }
}
