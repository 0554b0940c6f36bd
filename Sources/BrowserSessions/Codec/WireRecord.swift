/// A message that lists its fields once, for writing and for reading.
package protocol WireRecord: WireMessage {
    /// Creates a message in which every field has its default.
    init()

    /// Visits every field, in the order of their numbers.
    mutating func visit<V: WireVisitor>(_ visitor: inout V) throws(V.Failure)
}

extension WireRecord {
    package var encodedCapacity: Int { 128 }

    package func encode(to writer: inout WireWriter) {
        var record = self
        record.visit(&writer)
    }

    /// Reads a message. Fields that it does not have are passed over.
    package init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init()
        var reader = WireRecordReader(WireReader(payload))
        while try reader.next() { try visit(&reader) }
    }
}

/// A writer or a reader of fields, each by its number. Defaults are not written.
package protocol WireVisitor {
    associatedtype Failure: Error

    mutating func text(_ field: Int, _ value: inout String) throws(Failure)
    mutating func texts(_ field: Int, _ values: inout [String]) throws(Failure)
    mutating func bytes(_ field: Int, _ value: inout [UInt8]) throws(Failure)
    mutating func flag(_ field: Int, _ value: inout Bool) throws(Failure)
    mutating func number(_ field: Int, _ value: inout Int) throws(Failure)
    mutating func numbers(_ field: Int, _ values: inout [Int]) throws(Failure)
    mutating func fixed32(_ field: Int, _ value: inout UInt32) throws(Failure)
    mutating func fixed(_ field: Int, _ value: inout Int64) throws(Failure)
    mutating func stored(_ field: Int, _ value: inout StoredNumber) throws(Failure)
    /// Visits a session by its name; a reader leaves out what names none.
    mutating func session(_ field: Int, _ value: inout SessionID?) throws(Failure)
    mutating func identifier<Subject>(_ field: Int, _ value: inout Identifier<Subject>?)
        throws(Failure)
    mutating func record<Record: WireRecord>(_ field: Int, _ value: inout Record?) throws(Failure)
    mutating func records<Record: WireRecord>(_ field: Int, _ values: inout [Record])
        throws(Failure)
}

extension WireWriter: WireVisitor {
    package mutating func text(_ field: Int, _ value: inout String) { string(field, value) }

    package mutating func texts(_ field: Int, _ values: inout [String]) {
        for value in values { presentString(field, value) }
    }

    package mutating func bytes(_ field: Int, _ value: inout [UInt8]) {
        let copy = value
        bytes(field, copy)
    }

    package mutating func flag(_ field: Int, _ value: inout Bool) { bool(field, value) }

    package mutating func number(_ field: Int, _ value: inout Int) {
        int32(field, Int32(clamping: value))
    }

    package mutating func numbers(_ field: Int, _ values: inout [Int]) {
        for value in values { int32(field, Int32(clamping: value)) }
    }

    package mutating func fixed32(_ field: Int, _ value: inout UInt32) {
        let copy = value
        fixed32(field, copy)
    }

    package mutating func fixed(_ field: Int, _ value: inout Int64) { fixed64(field, value) }

    package mutating func stored(_ field: Int, _ value: inout StoredNumber) {
        fixed64(field, Int64(value.value))
    }

    package mutating func session(_ field: Int, _ value: inout SessionID?) {
        if let value { string(field, value.description) }
    }

    package mutating func identifier<Subject>(_ field: Int, _ value: inout Identifier<Subject>?) {
        let copy = value
        identifier(field, copy)
    }

    package mutating func record<Record: WireRecord>(_ field: Int, _ value: inout Record?) {
        if let value { message(field) { value.encode(to: &$0) } }
    }

    package mutating func records<Record: WireRecord>(_ field: Int, _ values: inout [Record]) {
        for value in values { message(field) { value.encode(to: &$0) } }
    }
}

extension WireVisitor {
    /// Visits a record that is always written.
    package mutating func part<Record: WireRecord>(_ field: Int, _ value: inout Record)
        throws(Failure)
    {
        var record = Optional(value)
        try self.record(field, &record)
        value = record ?? Record()
    }
}

/// Reads one field in each visit: the one that is next.
package struct WireRecordReader: WireVisitor {
    private var reader: WireReader
    private var field: WireReader.Field?

    init(_ reader: WireReader) { self.reader = reader }

    /// Goes to the next field, over one that no visit has read; `false` at the end.
    mutating func next() throws(WireError) -> Bool {
        if let field { _ = try reader.skip(field) }
        field = try reader.next()
        return field != nil
    }

    private mutating func takes(_ number: Int, _ type: WireType = .lengthDelimited) -> Bool {
        guard let field, field.number == number, field.type == type else { return false }
        self.field = nil
        return true
    }

    package mutating func text(_ field: Int, _ value: inout String) throws(WireError) {
        if takes(field) { value = try reader.string() }
    }

    package mutating func texts(_ field: Int, _ values: inout [String]) throws(WireError) {
        if takes(field) { values.append(try reader.string()) }
    }

    package mutating func bytes(_ field: Int, _ value: inout [UInt8]) throws(WireError) {
        if takes(field) { value = [UInt8](try reader.span()) }
    }

    package mutating func flag(_ field: Int, _ value: inout Bool) throws(WireError) {
        if takes(field, .varint) { value = try reader.bool() }
    }

    package mutating func number(_ field: Int, _ value: inout Int) throws(WireError) {
        if takes(field, .varint) { value = Int(try reader.int32()) }
    }

    package mutating func numbers(_ field: Int, _ values: inout [Int]) throws(WireError) {
        if takes(field, .varint) { values.append(Int(try reader.int32())) }
    }

    package mutating func fixed32(_ field: Int, _ value: inout UInt32) throws(WireError) {
        if takes(field, .fixed32) { value = try reader.fixed32() }
    }

    package mutating func fixed(_ field: Int, _ value: inout Int64) throws(WireError) {
        if takes(field, .fixed64) { value = try reader.fixed64() }
    }

    package mutating func stored(_ field: Int, _ value: inout StoredNumber) throws(WireError) {
        guard takes(field, .fixed64) else { return }
        guard let number = StoredNumber(try reader.fixed64()) else {
            throw WireError(problem: "a number is none that a store has")
        }
        value = number
    }

    package mutating func session(_ field: Int, _ value: inout SessionID?) throws(WireError) {
        if takes(field) { value = SessionID(try reader.string()) }
    }

    package mutating func identifier<Subject>(_ field: Int, _ value: inout Identifier<Subject>?)
        throws(WireError)
    {
        if takes(field) { value = try reader.identifier() as Identifier<Subject> }
    }

    package mutating func record<Record: WireRecord>(_ field: Int, _ value: inout Record?)
        throws(WireError)
    {
        if takes(field) { value = try Record(payload: try reader.span()) }
    }

    package mutating func records<Record: WireRecord>(_ field: Int, _ values: inout [Record])
        throws(WireError)
    {
        if takes(field) { values.append(try Record(payload: try reader.span())) }
    }
}
