/// A visitor that turns values into bytes, which are equal if and only if the values are.
///
/// ```text
/// fields   := (number(field) value)* (number(-1) bytes)? number(0)
///                           without fields that have their defaults; -1 are those of newer versions
/// text     := number(UTF-8 bytes) and the bytes; bytes likewise; an identifier is its 16 bytes
/// number   := 8 bytes, most significant first; a time likewise; a flag is one byte, 0 or 1
/// list     := number(records) fields*
/// texts    := number(entries) (text(key) text(value))*, keys ascending by UTF-8
/// ```
/// A field that a later version adds therefore changes nothing where it has its default.
package struct FieldBytes: FieldVisitor {
    package typealias Failure = Never

    package private(set) var bytes: [UInt8] = []
    /// The names of the visited fields, and where the bytes of each end.
    private var ends: [(name: String, end: Int)] = []

    package init() {}

    package mutating func add(_ bytes: some Sequence<UInt8>) { self.bytes += bytes }

    package mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: Int64(truncatingIfNeeded: number).bigEndian) { bytes += $0 }
    }

    package mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    package mutating func add(_ text: String) {
        add(text.utf8.count)
        bytes += text.utf8
    }

    package mutating func add<Subject>(_ identifier: Identifier<Subject>?) {
        add(identifier != nil)
        identifier?.append(to: &bytes)
    }

    package mutating func add(_ texts: [String: String]) {
        add(texts.count)
        let entries = texts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (key, text) in entries {
            add(key)
            add(text)
        }
    }

    /// Adds the fields of a record.
    package mutating func add(_ record: some FieldRecord) {
        var record = record
        record.visitFields(&self)
        add(0)
    }

    /// Adds a field with what is written, or nothing if it has its default.
    private mutating func put(
        _ field: Field, unless isDefault: Bool, _ write: (inout Self) -> Void
    ) {
        if !isDefault {
            add(field.number)
            write(&self)
        }
        end(field)
    }

    private mutating func end(_ field: Field) { ends.append((field.name, bytes.count)) }

    package mutating func text(_ field: Field, _ value: inout String) {
        put(field, unless: value.isEmpty) { $0.add(value) }
    }

    package mutating func bytes(_ field: Field, _ value: inout [UInt8]) {
        put(field, unless: value.isEmpty) {
            $0.add(value.count)
            $0.bytes += value
        }
    }

    package mutating func number(_ field: Field, _ value: inout Int32) {
        put(field, unless: value == 0) { $0.add(value) }
    }

    package mutating func index(_ field: Field, _ value: inout Int?) {
        put(field, unless: value == nil) { $0.add(value ?? 0) }
    }

    package mutating func flag(_ field: Field, _ value: inout Bool) {
        put(field, unless: !value) { $0.add(value) }
    }

    package mutating func time(_ field: Field, _ value: inout Timestamp) {
        put(field, unless: value == .unknown) { $0.add(value.microseconds) }
    }

    package mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>) {
        put(field, unless: false) { value.append(to: &$0.bytes) }
    }

    package mutating func identifier<Subject>(
        _ field: Field, _ value: inout Identifier<Subject>?
    ) {
        put(field, unless: value == nil) { value?.append(to: &$0.bytes) }
    }

    /// Adds nothing.
    package mutating func order(_ field: Field, _ value: inout OrderKey) { end(field) }
    package mutating func order(_ field: Field, _ value: inout OrderKey?) { end(field) }

    package mutating func texts(_ field: Field, _ value: inout [String: String]) {
        put(field, unless: value.isEmpty) { $0.add(value) }
    }

    package mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?) {
        put(field, unless: value == nil) { bytes in
            if let value { bytes.addNested(value) }
        }
    }

    package mutating func records<Record: FieldRecord>(_ field: Field, _ value: inout [Record]) {
        put(field, unless: value.isEmpty) { bytes in
            bytes.add(value.count)
            for record in value { bytes.addNested(record) }
        }
    }

    package mutating func unknownFields(_ value: inout [UInt8]) {
        bytes(Field(-1, "unknownFields"), &value)
    }

    private mutating func addNested(_ record: some FieldRecord) {
        var nested = FieldBytes()
        nested.add(record)
        bytes += nested.bytes
    }

    /// Returns the names of the fields with other values in another record of the same type.
    fileprivate func namesThatDiffer(from other: FieldBytes) -> [String] {
        var (start, otherStart) = (0, 0)
        var names: [String] = []
        for (mine, theirs) in zip(ends, other.ends) {
            if bytes[start..<mine.end] != other.bytes[otherStart..<theirs.end] {
                names.append(mine.name)
            }
            (start, otherStart) = (mine.end, theirs.end)
        }
        return names
    }
}

extension FieldRecord {
    /// Returns the names of the fields that differ. Compares text by its bytes, because two
    /// strings that Swift calls equal may be written differently.
    package func fieldsThatDiffer(from other: Self) -> [String] {
        var (mine, theirs) = (FieldBytes(), FieldBytes())
        mine.add(self)
        theirs.add(other)
        return mine.namesThatDiffer(from: theirs)
    }
}
