import BrowserSessions
import Foundation

extension JSONValue {
    /// Creates an object with all fields of a record, by their names.
    init(_ record: some FieldRecord) { self = .object(FieldValues(record).values) }
}

extension JSONValue: FieldValue {}

/// A visitor that fills the fields of a blank record from the members of a JSON object. A field keeps
/// its default if its member is missing or has another type; an identifier that every such record
/// has is then random.
struct JSONFieldReader: FieldVisitor {
    typealias Failure = Never

    private let value: JSONValue
    /// The number of records in which fields of a newer version are none.
    private(set) var newer = 0
    /// The numbers of the fields that were visited.
    private var known: Set<Int> = []

    /// Fills the fields. Returns the number of records with fields of a newer version that cannot be
    /// read, because they are no fields or would replace one of this version.
    static func fill(_ record: inout some FieldRecord, from value: JSONValue) -> Int {
        var reader = JSONFieldReader(value: value)
        record.visitFields(&reader)
        return reader.newer
    }

    mutating func text(_ field: Field, _ value: inout String) {
        if let text = member(field)?.string { value = text }
    }

    mutating func bytes(_ field: Field, _ value: inout [UInt8]) {
        let text = member(field)?.string
        if let data = text.flatMap({ Data(base64Encoded: $0) }) { value = [UInt8](data) }
    }

    mutating func number(_ field: Field, _ value: inout Int32) {
        if let number = member(field)?.integer { value = Int32(clamping: number) }
    }

    mutating func index(_ field: Field, _ value: inout Int?) {
        if let number = member(field)?.integer { value = Int(number) }
    }

    mutating func flag(_ field: Field, _ value: inout Bool) {
        if let flag = member(field)?.bool { value = flag }
    }

    mutating func time(_ field: Field, _ value: inout Timestamp) {
        value = member(field)?.integer.map { Timestamp(microseconds: $0) } ?? .unknown
    }

    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>) {
        value = member(field)?.string.flatMap { Identifier($0) } ?? .random()
    }

    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>?) {
        if let id = member(field)?.string.flatMap({ Identifier<Subject>($0) }) {
            value = id
        }
    }

    mutating func order(_ field: Field, _ value: inout OrderKey) { known.insert(field.number) }
    mutating func order(_ field: Field, _ value: inout OrderKey?) { known.insert(field.number) }

    mutating func texts(_ field: Field, _ value: inout [String: String]) {
        value = (member(field)?.object ?? [:]).compactMapValues(\.string)
    }

    mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?) {
        guard let member = member(field), member.object != nil else { return }
        value = read(member)
    }

    mutating func records<Record: FieldRecord>(_ field: Field, _ value: inout [Record]) {
        value = (member(field)?.array ?? []).map { read($0) }
    }

    mutating func unknownFields(_ value: inout [UInt8]) {
        guard let text = self.value["unknownFields"]?.string, !text.isEmpty else { return }
        if let data = Data(base64Encoded: text), areUnknown(Array(data)) {
            value = Array(data)
        } else {
            newer += 1
        }
    }

    /// The most bytes of fields of a newer version in one record, so that no record is too large for them.
    private static let maximumUnknownBytes = 1 << 16

    /// Whether bytes are whole fields that this version does not know, so that the record can be read
    /// again with them at its end.
    private func areUnknown(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= Self.maximumUnknownBytes else { return false }
        return bytes.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            do throws(WireError) {
                while let field = try reader.next() {
                    guard !known.contains(field.number) else { return false }
                    _ = try reader.skip(field)
                }
                return true
            } catch {
                return false
            }
        }
    }

    private mutating func member(_ field: Field) -> JSONValue? {
        known.insert(field.number)
        return value[field.name]
    }

    private mutating func read<Record: FieldRecord>(_ value: JSONValue) -> Record {
        var record = Record.blank
        newer += Self.fill(&record, from: value)
        return record
    }
}
