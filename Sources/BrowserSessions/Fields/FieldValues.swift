/// A value of JSON, as a field is shown.
package protocol FieldValue {
    static var null: Self { get }
    static func bool(_ value: Bool) -> Self
    static func integer(_ value: Int64) -> Self
    static func string(_ value: String) -> Self
    static func array(_ values: [Self]) -> Self
    static func object(_ members: [String: Self]) -> Self
}

/// The fields of a record by their names, as canonical JSON has them: nothing is left out, identifiers are
/// UUIDs, times are microseconds since 1970, bytes are base64, and order keys are not among them.
package struct FieldValues<Value: FieldValue>: FieldVisitor {
    package typealias Failure = Never

    package private(set) var values: [String: Value] = [:]

    package init(_ record: some FieldRecord) {
        var record = record
        record.visitFields(&self)
    }

    package mutating func text(_ field: Field, _ value: inout String) {
        values[field.name] = .string(value)
    }

    package mutating func bytes(_ field: Field, _ value: inout [UInt8]) {
        values[field.name] = .string(value.base64)
    }

    package mutating func number(_ field: Field, _ value: inout Int32) {
        values[field.name] = .integer(Int64(value))
    }

    package mutating func index(_ field: Field, _ value: inout Int?) {
        values[field.name] = value.map { .integer(Int64($0)) } ?? .null
    }

    package mutating func flag(_ field: Field, _ value: inout Bool) {
        values[field.name] = .bool(value)
    }

    package mutating func time(_ field: Field, _ value: inout Timestamp) {
        values[field.name] = .integer(value.microseconds)
    }

    package mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>) {
        values[field.name] = .string(value.description)
    }

    package mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>?) {
        values[field.name] = value.map { .string($0.description) } ?? .null
    }

    package mutating func order(_ field: Field, _ value: inout OrderKey) {}
    package mutating func order(_ field: Field, _ value: inout OrderKey?) {}

    package mutating func texts(_ field: Field, _ value: inout [String: String]) {
        values[field.name] = .object(value.mapValues { .string($0) })
    }

    package mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?) {
        values[field.name] = value.map { .object(FieldValues($0).values) } ?? .null
    }

    package mutating func records<Record: FieldRecord>(_ field: Field, _ value: inout [Record]) {
        values[field.name] = .array(value.map { .object(FieldValues($0).values) })
    }

    package mutating func unknownFields(_ value: inout [UInt8]) {
        values["unknownFields"] = .string(value.base64)
    }
}

/// A value that any encoder writes.
indirect enum EncodableValue: FieldValue, Encodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([Self])
    case object([String: Self])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

extension [UInt8] {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The bytes in base64, with padding.
    package var base64: String {
        var text: [UInt8] = []
        text.reserveCapacity((count + 2) / 3 * 4)
        for start in stride(from: 0, to: count, by: 3) {
            let group = self[start..<Swift.min(start + 3, count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                let isPadding = place > group.count
                text.append(
                    isPadding ? UInt8(ascii: "=") : Self.digits[bits >> (18 - 6 * place) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
