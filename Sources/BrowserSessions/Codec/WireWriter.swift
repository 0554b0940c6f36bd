/// A value with its own message in records.proto.
package protocol WireMessage {
    /// The approximate size of the message in bytes.
    var encodedCapacity: Int { get }

    func encode(to writer: inout WireWriter)
}

extension WireMessage {
    package func encodedPayload() -> [UInt8] {
        var writer = WireWriter()
        writer.bytes.reserveCapacity(encodedCapacity)
        encode(to: &writer)
        return writer.bytes
    }
}

/// Writes the protobuf wire format. Fields with default values are left out, as in proto3.
package struct WireWriter {
    package var bytes: [UInt8] = []
    /// The number of records that are nested around the one that is being written.
    var depth = 0

    package init() {}

    package mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func tag(_ field: Int, _ type: WireType) {
        varint(UInt64(field) << 3 | type.rawValue)
    }

    package mutating func bool(_ field: Int, _ value: Bool) {
        guard value else { return }
        tag(field, .varint)
        bytes.append(1)
    }

    package mutating func int32(_ field: Int, _ value: Int32) {
        guard value != 0 else { return }
        tag(field, .varint)
        varint(UInt64(bitPattern: Int64(value)))
    }

    package mutating func fixed64(_ field: Int, _ value: Int64) {
        guard value != 0 else { return }
        tag(field, .fixed64)
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func string(_ field: Int, _ value: String) {
        guard !value.isEmpty else { return }
        presentString(field, value)
    }

    /// Writes a string, even if it is empty.
    package mutating func presentString(_ field: Int, _ value: String) {
        tag(field, .lengthDelimited)
        var value = value
        value.withUTF8 { utf8 in
            varint(UInt64(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }

    package mutating func bytes(_ field: Int, _ value: [UInt8]) {
        guard !value.isEmpty else { return }
        tag(field, .lengthDelimited)
        varint(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    package mutating func identifier<Subject>(_ field: Int, _ value: Identifier<Subject>?) {
        guard let value else { return }
        tag(field, .lengthDelimited)
        varint(16)
        value.append(to: &bytes)
    }

    package mutating func order(_ field: Int, _ value: OrderKey) {
        tag(field, .lengthDelimited)
        varint(UInt64(value.length))
        value.append(to: &bytes)
    }

    /// Writes a nested message, even if it is empty.
    package mutating func message(_ field: Int, _ write: (inout WireWriter) -> Void) {
        tag(field, .lengthDelimited)
        // Most messages are short, so that one byte has their length.
        let start = bytes.count
        bytes.append(0)
        write(&self)
        let count = bytes.count - start - 1
        guard count >= 0x80 else {
            bytes[start] = UInt8(count)
            return
        }
        var length = WireWriter()
        length.varint(UInt64(count))
        bytes.replaceSubrange(start...start, with: length.bytes)
    }
}

package enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case fixed32 = 5
}
