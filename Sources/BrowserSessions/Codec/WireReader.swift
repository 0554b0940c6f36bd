/// An error for bytes that do not follow the schema of their record.
package struct WireError: Error {
    package var problem: String

    package init(problem: String) { self.problem = problem }
}

/// Reads the protobuf wire format. Never reads past its bytes, regardless of their content.
package struct WireReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    /// Where the last tag begins, so that an unknown field can be kept.
    private var start = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The number and type of a field.
    package struct Field {
        package var number: Int
        package var type: WireType
    }

    /// Returns the number and type of the next field in one; 0 at the end.
    mutating func tag() throws(WireError) -> UInt64 {
        start = position
        guard position < bytes.count else { return 0 }
        let tag = try varint()
        guard Self.isLegal(tag) else { throw WireError(problem: "illegal field tag") }
        return tag
    }

    /// Whether a tag has a number that a field may have, and one of the four types of proto3.
    @inline(__always)
    private static func isLegal(_ tag: UInt64) -> Bool {
        tag >> 3 > 0 && tag >> 3 < 1 << 29 && 0b10_0111 >> (tag & 7) & 1 == 1
    }

    /// Skips the field of the last tag and returns all its bytes, including the tag.
    mutating func skip(_ tag: UInt64) throws(WireError) -> UnsafeRawBufferPointer {
        switch WireType(rawValue: tag & 7) {
        case .varint: _ = try varint()
        case .fixed64: _ = try fixed64()
        case .lengthDelimited: _ = try span()
        case .fixed32: _ = try fixed32()
        case nil: throw WireError(problem: "illegal field tag")
        }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    /// Returns the next field; `nil` at the end.
    package mutating func next() throws(WireError) -> Field? {
        let tag = try tag()
        guard tag != 0, let type = WireType(rawValue: tag & 7) else { return nil }
        return Field(number: Int(tag >> 3), type: type)
    }

    /// Most numbers have one byte.
    @inline(__always)
    package mutating func varint() throws(WireError) -> UInt64 {
        if position < bytes.count, bytes[position] < 0x80 {
            position += 1
            return UInt64(bytes[position - 1])
        }
        return try longVarint()
    }

    private mutating func longVarint() throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw WireError(problem: "unfinished number")
    }

    package mutating func int32() throws(WireError) -> Int32 {
        Int32(truncatingIfNeeded: try varint())
    }

    package mutating func bool() throws(WireError) -> Bool { try varint() != 0 }

    package mutating func fixed64() throws(WireError) -> Int64 {
        guard bytes.count - position >= 8 else { throw WireError(problem: "unfinished number") }
        let value = bytes.loadUnaligned(fromByteOffset: position, as: Int64.self)
        position += 8
        return Int64(littleEndian: value)
    }

    package mutating func fixed32() throws(WireError) -> UInt32 {
        guard bytes.count - position >= 4 else { throw WireError(problem: "unfinished number") }
        let value = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
        position += 4
        return UInt32(littleEndian: value)
    }

    @inline(__always)
    package mutating func span() throws(WireError) -> UnsafeRawBufferPointer {
        let length = try varint()
        guard length <= UInt64(bytes.count - position) else {
            throw WireError(problem: "length beyond the record's end")
        }
        let start = position
        position += Int(length)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    package mutating func string() throws(WireError) -> String {
        String(decoding: try span(), as: UTF8.self)
    }

    package mutating func identifier<Subject>() throws(WireError) -> Identifier<Subject> {
        let span = try span()
        guard span.count == 16 else { throw WireError(problem: "identifier is not 16 bytes") }
        return Identifier(
            high: UInt64(bigEndian: span.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: span.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Reads one entry of a `map<string, string>`.
    package mutating func mapEntry() throws(WireError) -> (key: String, value: String) {
        var entry = WireReader(try span())
        var (key, value) = ("", "")
        while let field = try entry.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): key = try entry.string()
            case (2, .lengthDelimited): value = try entry.string()
            default: _ = try entry.skip(field)
            }
        }
        return (key, value)
    }

    /// Skips the field that was returned last.
    package mutating func skip(_ field: Field) throws(WireError) -> UnsafeRawBufferPointer {
        try skip(field.type.rawValue)
    }
}
