import Foundation

@testable import BrowserSessions

/// The published schema, read from records.proto: `message`, `repeated`, `map`, and fields with numbers.
struct Schema {
    struct Field {
        var number: Int
        var name: Substring
        var type: Substring
        var isRepeated: Bool

        /// What a tag says of the field's bytes.
        var wireType: UInt64 {
            switch type {
            case "int32", "bool": 0
            case "fixed64", "sfixed64": 1
            case "fixed32": 5
            default: 2
            }
        }
    }

    /// Where records.proto is.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/StorageEngines/Records").standardizedFileURL.path

    static let messages: [String: [Field]] = {
        var (messages, name) = ([String: [Field]](), "")
        let text = (try? String(contentsOfFile: folder + "/records.proto", encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /message (\w+) \{/) { name = String(match.1) }
            let field = /\s+(repeated )?(map<string, string>|\w+) (\w+) = (\d+);.*/
            if let match = line.wholeMatch(of: field), let number = Int(match.4) {
                messages[name, default: []].append(
                    Field(number: number, name: match.3, type: match.2, isRepeated: match.1 != nil))
            }
        }
        return messages
    }()

    /// Whether a program's name of a field is that of the schema, in which an index is one higher.
    static func matches(_ field: Field, _ name: String) -> Bool {
        let published = field.name.replacing("_", with: "")
        return ["", "plusone"].contains { published == name.lowercased() + $0 }
    }
}

/// A message as a program reads and writes it that knows nothing of ours but the published schema.
struct SchemaMessage: Equatable {
    enum Value: Equatable {
        /// The bits of a number, with the sign extended.
        case number(UInt64)
        case bytes([UInt8])
        case messages([SchemaMessage])
        case texts([String: String])

        static func text(_ text: String) -> Value { .bytes([UInt8](text.utf8)) }
    }

    private struct Malformed: Error {}

    let type: String
    /// By number; a field with the default value is absent.
    private(set) var values: [Int: Value] = [:]
    fileprivate(set) var unknownFields: [UInt8] = []

    private var fields: [Schema.Field] { Schema.messages[type] ?? [] }

    init(_ type: String, _ values: [String: Value] = [:]) {
        self.type = type
        for (name, value) in values { self[name] = value }
    }

    /// A field by its name; the schema must have it.
    subscript(name: String) -> Value? {
        get { values[number(name)] }
        set { set(newValue, number(name)) }
    }

    private func number(_ name: String) -> Int {
        fields.first { $0.name == name }?.number ?? { preconditionFailure("\(type): \(name)") }()
    }

    fileprivate mutating func set(_ value: Value?, _ number: Int) {
        switch value {
        case .number(0), .bytes([]), .messages([]), .texts([:]), nil: values[number] = nil
        default: values[number] = value
        }
    }

    // MARK: - Reading

    init(_ type: String, decoding bytes: [UInt8]) throws {
        self.type = type
        try merge(bytes)
    }

    private mutating func merge(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let start = rest.startIndex
            let tag = try Self.varint(&rest)
            let value: Value
            switch tag & 7 {
            case 0: value = .number(try Self.varint(&rest))
            case 1: value = .number(try Self.fixed(8, &rest))
            case 2: value = .bytes([UInt8](try Self.prefix(try Self.varint(&rest), &rest)))
            case 5: value = .number(try Self.fixed(4, &rest))
            default: throw Malformed()
            }
            guard 1...536_870_911 ~= tag >> 3 else { throw Malformed() }
            if let field = fields.first(where: { $0.number == Int(tag >> 3) }),
                field.wireType == tag & 7
            {
                try read(value, field)
            } else {
                unknownFields += bytes[start..<rest.startIndex]
            }
        }
    }

    private mutating func read(_ value: Value, _ field: Schema.Field) throws {
        switch (value, field.type) {
        case (.number(let bits), "int32"):
            set(.number(UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: bits)))), field.number)
        case (.number(let bits), "bool"): set(.number(bits == 0 ? 0 : 1), field.number)
        case (.bytes(let bytes), "string"):
            guard String(validating: bytes, as: UTF8.self) != nil else { throw Malformed() }
            set(value, field.number)
        case (.bytes(let bytes), let type) where type.hasPrefix("map"):
            var (texts, pair) = ([String: String](), SchemaMessage("HTTPHeader"))
            if case .texts(let earlier)? = values[field.number] { texts = earlier }
            // An entry has the fields of a header: a text each of the numbers 1 and 2.
            try pair.merge(bytes)
            texts[pair.text("name")] = pair.text("value")
            set(.texts(texts), field.number)
        case (.bytes(let bytes), let type) where Schema.messages[String(type)] != nil:
            var messages: [SchemaMessage] = []
            if case .messages(let earlier)? = values[field.number] { messages = earlier }
            if field.isRepeated || messages.isEmpty { messages.append(Self(String(type))) }
            try messages[messages.count - 1].merge(bytes)
            set(.messages(messages), field.number)
        default: set(value, field.number)
        }
    }

    private func text(_ name: String) -> String {
        if case .bytes(let text)? = self[name] { String(decoding: text, as: UTF8.self) } else { "" }
    }

    private static func prefix(_ count: UInt64, _ rest: inout ArraySlice<UInt8>) throws
        -> ArraySlice<UInt8>
    {
        guard count <= UInt64(rest.count) else { throw Malformed() }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    private static func fixed(_ count: UInt64, _ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
        try prefix(count, &rest).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let byte = UInt64(try fixed(1, &rest))
            value |= (byte & 127) << shift
            if byte < 128 { return value }
        }
        throw Malformed()
    }

    // MARK: - Writing

    /// The bytes, with fields by ascending number and maps by ascending key.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for field in fields {
            switch values[field.number] {
            case .number(let bits):
                bytes += Self.varint(UInt64(field.number) << 3 | field.wireType)
                let width = [1: 8, 5: 4][field.wireType] ?? 0
                if width == 0 { bytes += Self.varint(bits) }
                bytes += (0..<width).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
            case .bytes(let part): bytes += Self.part(field.number, part)
            case .messages(let all): bytes += all.flatMap { Self.part(field.number, $0.bytes) }
            case .texts(let texts):
                // Of an entry both fields are written, whatever they are.
                for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
                    let entry = Self.part(1, [UInt8](key.utf8)) + Self.part(2, [UInt8](text.utf8))
                    bytes += Self.part(field.number, entry)
                }
            case nil: break
            }
        }
        return bytes + unknownFields
    }

    private static func part(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        varint(UInt64(number) << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(truncatingIfNeeded: value | 128)] + varint(value >> 7)
    }
}

// MARK: - Records

extension SchemaMessage {
    /// The message that a record fills when its fields are visited.
    init<Record: FieldRecord>(_ record: Record) {
        var (record, visitor) = (record, SchemaVisitor(SchemaMessage("\(Record.self)")))
        record.visitFields(&visitor)
        self = visitor.message
    }
}

/// Fills a message with a record's fields by their numbers, and notes their names.
struct SchemaVisitor: FieldVisitor {
    typealias Failure = Never

    private(set) var message: SchemaMessage
    private(set) var names: [(number: Int, name: String)] = []

    init(_ message: SchemaMessage) { self.message = message }

    private mutating func note(_ field: Field, _ value: SchemaMessage.Value?) {
        names.append((field.number, field.name))
        message.set(value, field.number)
    }

    mutating func text(_ field: Field, _ value: inout String) { note(field, .text(value)) }
    mutating func bytes(_ field: Field, _ value: inout [UInt8]) { note(field, .bytes(value)) }
    mutating func number(_ field: Field, _ value: inout Int32) {
        note(field, .number(UInt64(bitPattern: Int64(value))))
    }
    mutating func index(_ field: Field, _ value: inout Int?) {
        note(field, value.map { .number(UInt64($0 + 1)) })
    }
    mutating func flag(_ field: Field, _ value: inout Bool) { note(field, .number(value ? 1 : 0)) }
    mutating func time(_ field: Field, _ value: inout Timestamp) {
        note(field, .number(UInt64(bitPattern: value.microseconds)))
    }
    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>) {
        note(field, .bytes(value.bytes))
    }
    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>?) {
        note(field, value.map { .bytes($0.bytes) })
    }
    mutating func order(_ field: Field, _ key: inout OrderKey) { note(field, .bytes(key.bytes)) }
    mutating func order(_ field: Field, _ value: inout OrderKey?) {
        note(field, value.map { .bytes($0.bytes) })
    }
    mutating func texts(_ field: Field, _ all: inout [String: String]) { note(field, .texts(all)) }
    mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?) {
        note(field, value.map { .messages([SchemaMessage($0)]) })
    }
    mutating func records<Record: FieldRecord>(_ field: Field, _ value: inout [Record]) {
        note(field, .messages(value.map { SchemaMessage($0) }))
    }
    mutating func unknownFields(_ value: inout [UInt8]) { message.unknownFields = value }
}
