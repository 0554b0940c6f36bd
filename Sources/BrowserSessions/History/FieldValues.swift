/// The fields of a record by their names, as canonical JSON has them: nothing is left out, identifiers are
/// UUIDs, times are microseconds since 1970, bytes are base64, and order keys are not among them.
struct FieldValues: FieldVisitor, Encodable {
    typealias Failure = Never

    private(set) var values: [String: Value] = [:]

    indirect enum Value: Hashable, Encodable {
        case text(String)
        case number(Int64)
        case flag(Bool)
        case absent
        case list([Value])
        case object([String: Value])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            case .absent: try container.encodeNil()
            case .list(let values): try container.encode(values)
            case .object(let values): try container.encode(values)
            }
        }
    }

    init(_ record: some FieldRecord) {
        var record = record
        record.visitFields(&self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }

    mutating func text(_ field: Field, _ value: inout String) { values[field.name] = .text(value) }

    mutating func bytes(_ field: Field, _ value: inout [UInt8]) {
        values[field.name] = .text(value.base64)
    }

    mutating func number(_ field: Field, _ value: inout Int32) {
        values[field.name] = .number(Int64(value))
    }

    mutating func index(_ field: Field, _ value: inout Int?) {
        values[field.name] = value.map { .number(Int64($0)) } ?? .absent
    }

    mutating func flag(_ field: Field, _ value: inout Bool) { values[field.name] = .flag(value) }

    mutating func time(_ field: Field, _ value: inout Timestamp) {
        values[field.name] = .number(value.microseconds)
    }

    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>) {
        values[field.name] = .text(value.description)
    }

    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>?) {
        values[field.name] = value.map { .text($0.description) } ?? .absent
    }

    mutating func order(_ field: Field, _ value: inout OrderKey) {}
    mutating func order(_ field: Field, _ value: inout OrderKey?) {}

    mutating func texts(_ field: Field, _ value: inout [String: String]) {
        values[field.name] = .object(value.mapValues { .text($0) })
    }

    mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?) {
        values[field.name] = value.map { .object(FieldValues($0).values) } ?? .absent
    }

    mutating func records<Record: FieldRecord>(_ field: Field, _ value: inout [Record]) {
        values[field.name] = .list(value.map { .object(FieldValues($0).values) })
    }

    mutating func unknownFields(_ value: inout [UInt8]) {
        values["unknownFields"] = .text(value.base64)
    }
}

extension [UInt8] {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The bytes in base64, with padding.
    fileprivate var base64: String {
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
