/// Writes protobuf fields; shares no code with the readers.
struct ProtoWriter {
    private(set) var bytes: [UInt8] = []

    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func number(_ field: Int, _ value: Int64) {
        guard value != 0 else { return }
        varint(UInt64(field) << 3)
        varint(UInt64(bitPattern: value))
    }

    mutating func blob(_ field: Int, _ value: [UInt8]) {
        varint(UInt64(field) << 3 | 2)
        varint(UInt64(value.count))
        bytes += value
    }

    mutating func text(_ field: Int, _ value: String) {
        if !value.isEmpty { blob(field, Array(value.utf8)) }
    }

    mutating func message(_ field: Int, _ write: (inout ProtoWriter) -> Void) {
        var inner = ProtoWriter()
        write(&inner)
        blob(field, inner.bytes)
    }
}
