extension WireMessage where Self: FieldRecord {
    package func encode(to writer: inout WireWriter) {
        var record = self
        record.visitFields(&writer)
    }
}

/// As a visitor, a writer writes the fields that differ from their defaults.
extension WireWriter: FieldVisitor {
    package typealias Failure = Never

    package var omitsAbsent: Bool { true }

    package mutating func text(_ field: Field, _ value: inout String) {
        string(field.number, value)
    }

    package mutating func bytes(_ field: Field, _ value: inout [UInt8]) {
        bytes(field.number, value)
    }

    package mutating func number(_ field: Field, _ value: inout Int32) {
        int32(field.number, value)
    }

    package mutating func index(_ field: Field, _ value: inout Int?) {
        if let value { int32(field.number, Int32(clamping: min(value, Int(Int32.max)) + 1)) }
    }

    package mutating func flag(_ field: Field, _ value: inout Bool) {
        bool(field.number, value)
    }

    package mutating func time(_ field: Field, _ value: inout Timestamp) {
        fixed64(field.number, value.microseconds)
    }

    package mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>) {
        identifier(field.number, value)
    }

    package mutating func identifier<Subject>(
        _ field: Field, _ value: inout Identifier<Subject>?
    ) {
        identifier(field.number, value)
    }

    package mutating func order(_ field: Field, _ value: inout OrderKey) {
        order(field.number, value)
    }

    package mutating func order(_ field: Field, _ value: inout OrderKey?) {
        if let value { order(field.number, value) }
    }

    /// Writes a `map<string, string>` by ascending key, so that equal values have equal bytes.
    package mutating func texts(_ field: Field, _ value: inout [String: String]) {
        guard !value.isEmpty else { return }
        for (key, text) in value.sorted(by: { $0.key < $1.key }) {
            message(field.number) {
                $0.presentString(1, key)
                $0.presentString(2, text)
            }
        }
    }

    package mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?) {
        guard var record = value else { return }
        write(&record, field.number)
    }

    package mutating func records<Record: FieldRecord>(_ field: Field, _ value: inout [Record]) {
        for var record in value { write(&record, field.number) }
    }

    /// Leaves out what would be refused as too deep when it is read.
    private mutating func write<Record: FieldRecord>(_ record: inout Record, _ number: Int) {
        let added = Record.isNestable ? 1 : 0
        guard depth + added <= WireDecoder.maximumDepth else { return }
        depth += added
        message(number) { record.visitFields(&$0) }
        depth -= added
    }

    package mutating func unknownFields(_ value: inout [UInt8]) {
        bytes.append(contentsOf: value)
    }

    package mutating func number(_ field: Field, _ value: inout Int) {
        int32(field.number, Int32(clamping: value))
    }

    package mutating func numbers(_ field: Field, _ values: inout [Int]) {
        for value in values { int32(field.number, Int32(clamping: value)) }
    }

    package mutating func texts(_ field: Field, _ values: inout [String]) {
        for value in values { presentString(field.number, value) }
    }

    package mutating func fixed32(_ field: Field, _ value: inout UInt32) {
        guard value != 0 else { return }
        tag(field.number, .fixed32)
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func fixed(_ field: Field, _ value: inout Int64) {
        fixed64(field.number, value)
    }

    package mutating func stored(_ field: Field, _ value: inout StoredNumber) {
        fixed64(field.number, Int64(value.value))
    }

    package mutating func session(_ field: Field, _ value: inout SessionID?) {
        if let value { string(field.number, value.description) }
    }
}
