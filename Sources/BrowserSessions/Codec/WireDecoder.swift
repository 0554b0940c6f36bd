/// A visitor that reads the fields of a record from its bytes in the protobuf wire format.
///
/// Fields that come in the order of their numbers are read in one visit of the record. Each visit
/// reads at least one field, so that bytes in any order are read.
package struct WireDecoder: FieldVisitor {
    private var reader: WireReader
    /// The next field's number and type; 0 at the end.
    private var tag: UInt64 = 0
    private var hasRead = false
    private let depth: Int

    /// The maximum number of records around a record that ``FieldRecord/isNestable``, with it: an
    /// entry and its nested frames.
    static let maximumDepth = NavigationHistory.maximumFrameDepth + 1

    private init(_ bytes: UnsafeRawBufferPointer, depth: Int) throws(WireError) {
        reader = WireReader(bytes)
        self.depth = depth
        try advance()
    }

    /// Reads the fields that the bytes have; the record's other fields stay as they are.
    package static func read<Record: FieldRecord>(
        _ record: inout Record, from bytes: UnsafeRawBufferPointer
    ) throws(WireError) {
        try read(&record, from: bytes, depth: 0)
    }

    private static func read<Record: FieldRecord>(
        _ record: inout Record, from bytes: UnsafeRawBufferPointer, depth: Int
    ) throws(WireError) {
        var decoder = try WireDecoder(bytes, depth: depth)
        while decoder.tag != 0 {
            decoder.hasRead = false
            try record.visitFields(&decoder)
            if !decoder.hasRead { try decoder.skip() }
        }
    }

    package var isAtEnd: Bool { tag == 0 }

    private mutating func advance() throws(WireError) {
        hasRead = true
        tag = try reader.tag()
    }

    private mutating func skip() throws(WireError) {
        _ = try reader.skip(tag)
        try advance()
    }

    @inline(__always)
    private func isNext(_ field: Field, _ type: WireType) -> Bool {
        tag == UInt64(field.number) << 3 | type.rawValue
    }

    // MARK: Fields

    package mutating func text(_ field: Field, _ value: inout String) throws(WireError) {
        guard isNext(field, .lengthDelimited) else { return }
        value = try reader.string()
        try advance()
    }

    package mutating func bytes(_ field: Field, _ value: inout [UInt8]) throws(WireError) {
        guard isNext(field, .lengthDelimited) else { return }
        value = [UInt8](try reader.span())
        try advance()
    }

    package mutating func number(_ field: Field, _ value: inout Int32) throws(WireError) {
        guard isNext(field, .varint) else { return }
        value = try reader.int32()
        try advance()
    }

    package mutating func index(_ field: Field, _ value: inout Int?) throws(WireError) {
        guard isNext(field, .varint) else { return }
        let number = Int(try reader.int32())
        value = number == 0 ? nil : number - 1
        try advance()
    }

    package mutating func flag(_ field: Field, _ value: inout Bool) throws(WireError) {
        guard isNext(field, .varint) else { return }
        value = try reader.bool()
        try advance()
    }

    package mutating func time(_ field: Field, _ value: inout Timestamp) throws(WireError) {
        guard isNext(field, .fixed64) else { return }
        value.microseconds = try reader.fixed64()
        try advance()
    }

    package mutating func identifier<Subject>(
        _ field: Field, _ value: inout Identifier<Subject>
    ) throws(WireError) {
        guard isNext(field, .lengthDelimited) else { return }
        value = try reader.identifier()
        try advance()
    }

    package mutating func identifier<Subject>(
        _ field: Field, _ value: inout Identifier<Subject>?
    ) throws(WireError) {
        guard isNext(field, .lengthDelimited) else { return }
        value = try reader.identifier() as Identifier<Subject>
        try advance()
    }

    package mutating func order(_ field: Field, _ value: inout OrderKey) throws(WireError) {
        guard isNext(field, .lengthDelimited) else { return }
        let bytes = try reader.span()
        guard OrderKey.isLegal(bytes) else { throw WireError(problem: "illegal order key") }
        value = OrderKey(trusted: bytes)
        try advance()
    }

    package mutating func order(_ field: Field, _ value: inout OrderKey?) throws(WireError) {
        guard isNext(field, .lengthDelimited) else { return }
        var key = OrderKey.middle
        try order(field, &key)
        value = key
    }

    package mutating func texts(
        _ field: Field, _ value: inout [String: String]
    ) throws(WireError) {
        while isNext(field, .lengthDelimited) {
            let entry = try reader.mapEntry()
            value[entry.key] = entry.value
            try advance()
        }
    }

    package mutating func record<Record: FieldRecord>(
        _ field: Field, _ value: inout Record?
    ) throws(WireError) {
        guard isNext(field, .lengthDelimited) else { return }
        value = try nested()
        try advance()
    }

    package mutating func records<Record: FieldRecord>(
        _ field: Field, _ value: inout [Record]
    ) throws(WireError) {
        while isNext(field, .lengthDelimited) {
            value.append(try nested())
            try advance()
        }
    }

    private mutating func nested<Record: FieldRecord>() throws(WireError) -> Record {
        let depth = depth + (Record.isNestable ? 1 : 0)
        guard depth <= Self.maximumDepth else {
            throw WireError(problem: "records are nested too deep")
        }
        var record = Record.blank
        try Self.read(&record, from: try reader.span(), depth: depth)
        return record
    }

    /// Takes the next field if no field of the record did.
    package mutating func unknownFields(_ value: inout [UInt8]) throws(WireError) {
        guard tag != 0, !hasRead else { return }
        value += try reader.skip(tag)
        try advance()
    }

    package mutating func number(_ field: Field, _ value: inout Int) throws(WireError) {
        guard isNext(field, .varint) else { return }
        value = Int(try reader.int32())
        try advance()
    }

    package mutating func numbers(_ field: Field, _ values: inout [Int]) throws(WireError) {
        while isNext(field, .varint) {
            values.append(Int(try reader.int32()))
            try advance()
        }
    }

    package mutating func texts(_ field: Field, _ values: inout [String]) throws(WireError) {
        while isNext(field, .lengthDelimited) {
            values.append(try reader.string())
            try advance()
        }
    }

    package mutating func fixed32(_ field: Field, _ value: inout UInt32) throws(WireError) {
        guard isNext(field, .fixed32) else { return }
        value = try reader.fixed32()
        try advance()
    }

    package mutating func fixed(_ field: Field, _ value: inout Int64) throws(WireError) {
        guard isNext(field, .fixed64) else { return }
        value = try reader.fixed64()
        try advance()
    }

    package mutating func stored(_ field: Field, _ value: inout StoredNumber) throws(WireError) {
        guard isNext(field, .fixed64) else { return }
        guard let number = StoredNumber(try reader.fixed64()) else {
            throw WireError(problem: "a number is none that a store has")
        }
        value = number
        try advance()
    }

    package mutating func session(_ field: Field, _ value: inout SessionID?) throws(WireError) {
        guard isNext(field, .lengthDelimited) else { return }
        value = SessionID(try reader.string())
        try advance()
    }
}
