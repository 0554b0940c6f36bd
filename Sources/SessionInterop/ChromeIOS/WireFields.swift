import BrowserSessions

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
        /// The field that goes beyond the end, with the bytes that are there; `nil` without any.
        var partial: Field?
    }

    private(set) var fields: [Field] = []
    private(set) var failure: Failure?

    init(_ bytes: ArraySlice<UInt8>, maximum: Int = ImportLimits().maximumParts) {
        var offset = bytes.startIndex
        var last: WireReader.Field?
        bytes.withUnsafeBytes { content in
            var reader = WireReader(content)
            do throws(WireError) {
                while let field = try reader.next() {
                    guard fields.count < maximum else { throw WireError(problem: "too many") }
                    last = field
                    var value = reader
                    let end = offset + (try reader.skip(field)).count
                    switch field.type {
                    case .varint: add(field, at: offset, .varint(try value.varint()))
                    case .lengthDelimited:
                        add(
                            field, at: offset, .bytes(bytes[(end - (try value.span()).count)..<end])
                        )
                    case .fixed32, .fixed64: add(field, at: offset, .fixed)
                    }
                    (offset, last) = (end, nil)
                }
            } catch {
                failure = Failure(offset: offset)
            }
        }
        guard let last, last.type == .lengthDelimited else { return }
        // The length follows the tag; each ends with its first byte under 0x80.
        let length = bytes[offset...].drop { $0 >= 0x80 }.dropFirst()
        guard let end = length.firstIndex(where: { $0 < 0x80 }), end + 1 < bytes.endIndex else {
            return
        }
        failure?.partial = Field(
            number: last.number, offset: offset, value: .bytes(bytes[(end + 1)...]))
    }

    private mutating func add(_ field: WireReader.Field, at offset: Int, _ value: Value) {
        fields.append(Field(number: field.number, offset: offset, value: value))
    }
}
