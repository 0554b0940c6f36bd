/// An error for bytes that do not follow the schema of their record.
package struct WireError: Error {
    package var problem: String

    package init(problem: String) { self.problem = problem }
}

/// Reads the protobuf wire format. Never reads past its bytes, regardless of their content.
package struct WireReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The number and type of a field, and where it begins, so that an unknown field can be kept.
    package struct Field {
        package var number: Int
        package var type: WireType
        var start: Int
    }

    /// Returns the next field; `nil` at the end.
    package mutating func next() throws(WireError) -> Field? {
        guard position < bytes.count else { return nil }
        let start = position
        let tag = try varint()
        guard let type = WireType(rawValue: tag & 7), tag >> 3 > 0, tag >> 3 < 1 << 29 else {
            throw WireError(problem: "illegal field tag")
        }
        return Field(number: Int(tag >> 3), type: type, start: start)
    }

    package mutating func varint() throws(WireError) -> UInt64 {
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

    /// Skips a field and returns all its bytes, including the tag.
    package mutating func skip(_ field: Field) throws(WireError) -> UnsafeRawBufferPointer {
        switch field.type {
        case .varint: _ = try varint()
        case .fixed64: _ = try fixed64()
        case .lengthDelimited: _ = try span()
        case .fixed32: _ = try fixed32()
        }
        return UnsafeRawBufferPointer(rebasing: bytes[field.start..<position])
    }
}
