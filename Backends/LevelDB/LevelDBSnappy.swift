/// Reverses Snappy's compression of a table's block, for salvage: LevelDB's C interface cannot.
enum LevelDBSnappy {
    /// The maximum size of a block; the largest value makes the largest block.
    static let greatestSize = 1 << 30

    /// Returns `nil` if the bytes are not Snappy's.
    static func decompress(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var cursor = LevelDBCursor(bytes)
        guard let size = cursor.number(), size <= greatestSize else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(min(Int(size), 64 * bytes.count))
        while !cursor.isAtEnd {
            guard let tag = cursor.byte(), append(tag, &cursor, &result),
                result.count <= Int(size)
            else { return nil }
        }
        return result.count == Int(size) ? result : nil
    }

    /// Appends one element: bytes that follow, or a copy of earlier ones.
    private static func append(
        _ tag: UInt8, _ cursor: inout LevelDBCursor, _ result: inout [UInt8]
    ) -> Bool {
        let head = Int(tag >> 2)
        switch tag & 3 {
        case 0:
            let size = head < 60 ? head : number(&cursor, bytes: head - 59)
            guard let size, let literal = cursor.take(size + 1) else { return false }
            result.append(contentsOf: literal)
            return true
        case 1:
            guard let low = cursor.byte() else { return false }
            return copy(4 + (head & 7), from: (head >> 3) << 8 | Int(low), &result)
        case 2:
            guard let distance = number(&cursor, bytes: 2) else { return false }
            return copy(head + 1, from: distance, &result)
        default:
            guard let distance = number(&cursor, bytes: 4) else { return false }
            return copy(head + 1, from: distance, &result)
        }
    }

    /// Copies byte by byte, since a copy may overlap itself.
    private static func copy(_ count: Int, from distance: Int, _ result: inout [UInt8]) -> Bool {
        guard 1...max(result.count, 1) ~= distance, !result.isEmpty else { return false }
        for _ in 0..<count { result.append(result[result.count - distance]) }
        return true
    }

    private static func number(_ cursor: inout LevelDBCursor, bytes: Int) -> Int? {
        cursor.take(bytes)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
