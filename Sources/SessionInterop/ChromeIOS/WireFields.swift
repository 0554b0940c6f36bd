/// The fields of a protobuf message, as far as they can be read.
///
/// A damaged record is refused as a whole. This reader finds the fields before the damage, so that
/// the rest of a tab list survives.
struct WireFields {
    struct Field {
        var number: Int
        /// The offset of the field's tag in the given bytes.
        var offset: Int
        var value: Value
    }

    enum Value {
        case varint(UInt64)
        case bytes(ArraySlice<UInt8>)
        case fixed
    }

    struct Failure {
        var offset: Int
        /// The field that goes beyond the end, with the bytes that are there.
        var partial: Field?
    }

    private(set) var fields: [Field] = []
    private(set) var failure: Failure?

    init(_ bytes: ArraySlice<UInt8>, maximum: Int = ImportLimits().maximumParts) {
        var reader = ByteReader(bytes)
        while reader.remaining > 0, failure == nil {
            let offset = reader.position
            if fields.count < maximum, let field = next(&reader, offset) {
                fields.append(field)
            } else if failure == nil {
                failure = Failure(offset: offset)
            }
        }
    }

    private mutating func next(_ reader: inout ByteReader, _ offset: Int) -> Field? {
        guard let tag = Self.varint(&reader), tag >> 3 > 0, tag >> 3 < 1 << 29 else { return nil }
        let number = Int(tag >> 3)
        switch tag & 7 {
        case 0:
            return Self.varint(&reader).map {
                Field(number: number, offset: offset, value: .varint($0))
            }
        case 1:
            return reader.take(8).map { _ in Field(number: number, offset: offset, value: .fixed) }
        case 5:
            return reader.take(4).map { _ in Field(number: number, offset: offset, value: .fixed) }
        case 2:
            guard let length = Self.varint(&reader) else { return nil }
            if let count = Int(exactly: length), let bytes = reader.take(count) {
                return Field(number: number, offset: offset, value: .bytes(bytes))
            }
            let rest = reader.take(reader.remaining) ?? []
            let partial = Field(number: number, offset: offset, value: .bytes(rest))
            failure = Failure(offset: offset, partial: partial)
            return nil
        default: return nil
        }
    }

    private static func varint(_ reader: inout ByteReader) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte: UInt8 = reader.integer() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
