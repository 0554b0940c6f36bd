/// A JSON value that keeps whole numbers exact.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    var array: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

    var object: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }

    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The whole number; `nil` if it is not one. A fraction of zero is allowed.
    var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    var isNull: Bool { self == .null }
}

extension JSONValue {
    /// Returns JSON text without white space. Keys ascend by UTF-8, and equal values have equal text.
    func encoded() -> [UInt8] {
        var text = JSONText()
        append(to: &text)
        return text.bytes
    }

    private func append(to text: inout JSONText) {
        switch self {
        case .null: text.raw("null")
        case .bool(let value): text.raw(value ? "true" : "false")
        case .integer(let value): text.raw(String(value))
        case .number(let value): text.raw(value.isFinite ? "\(value)" : "null")
        case .string(let value): text.string(value)
        case .array(let items):
            text.raw("[")
            for (index, item) in items.enumerated() {
                if index > 0 { text.raw(",") }
                item.append(to: &text)
            }
            text.raw("]")
        case .object(let members):
            text.raw("{")
            let ascending = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, member) in ascending.enumerated() {
                if index > 0 { text.raw(",") }
                text.string(member.key)
                text.raw(":")
                member.value.append(to: &text)
            }
            text.raw("}")
        }
    }
}

/// A builder of JSON text.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20: raw("\\u00" + hexadecimal(byte))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
