package import BrowserSessions

/// A visitor that changes the fields that it names; those of every other type stay as they are.
package protocol FieldEditor: FieldVisitor where Failure == Never {}

extension FieldEditor {
    package mutating func text(_ field: Field, _ value: inout String) {}
    package mutating func bytes(_ field: Field, _ value: inout [UInt8]) {}
    package mutating func number(_ field: Field, _ value: inout Int32) {}
    package mutating func index(_ field: Field, _ value: inout Int?) {}
    package mutating func flag(_ field: Field, _ value: inout Bool) {}
    package mutating func time(_ field: Field, _ value: inout Timestamp) {}
    package mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>) {
    }
    package mutating func identifier<Subject>(
        _ field: Field, _ value: inout Identifier<Subject>?
    ) {}
    package mutating func order(_ field: Field, _ value: inout OrderKey) {}
    package mutating func order(_ field: Field, _ value: inout OrderKey?) {}
    package mutating func texts(_ field: Field, _ value: inout [String: String]) {}
    package mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?) {
        value?.visitFields(&self)
    }
    package mutating func records<Record: FieldRecord>(_ field: Field, _ value: inout [Record]) {
        for index in value.indices { value[index].visitFields(&self) }
    }
    package mutating func unknownFields(_ value: inout [UInt8]) {}
}

/// An editor that gives every text, and one property, the text that a closure returns for it.
package struct FieldTexts: FieldEditor {
    private let text: (_ name: String) -> String

    package init(_ text: @escaping (_ name: String) -> String) { self.text = text }

    package mutating func text(_ field: Field, _ value: inout String) { value = text(field.name) }

    package mutating func texts(_ field: Field, _ value: inout [String: String]) {
        value = [text("key"): text("value")]
    }
}

/// An editor that gives every field a value that no other field has, and that is not its default.
package struct DistinctValues: FieldEditor {
    private var number: Int64

    /// - Parameter number: a number below those that the values are made of.
    package init(above number: Int64) { self.number = number }

    private mutating func next() -> Int64 {
        number += 1
        return number
    }

    package mutating func text(_ field: Field, _ value: inout String) {
        value = "\(field.name) \(next())"
    }

    package mutating func bytes(_ field: Field, _ value: inout [UInt8]) {
        value = Array("\(field.name) \(next())".utf8)
    }

    package mutating func number(_ field: Field, _ value: inout Int32) {
        value = Int32(clamping: next())
    }

    package mutating func flag(_ field: Field, _ value: inout Bool) { value = true }

    package mutating func time(_ field: Field, _ value: inout Timestamp) {
        value.microseconds = 1_600_000_000_000_000 + next()
    }

    package mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>) {
        value = Identifier(high: 0xD15, low: UInt64(bitPattern: next()))
    }

    package mutating func identifier<Subject>(
        _ field: Field, _ value: inout Identifier<Subject>?
    ) {
        value = Identifier(high: 0xD15, low: UInt64(bitPattern: next()))
    }

    package mutating func order(_ field: Field, _ value: inout OrderKey?) {
        value = OrderKey.evenlySpaced(count: 250)[Int(next() % 250)]
    }

    package mutating func texts(_ field: Field, _ value: inout [String: String]) {
        value = ["name \(next())": "value \(next())", "other \(next())": "value \(next())"]
    }

    package mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?) {
        var record = value ?? .blank
        record.visitFields(&self)
        value = record
    }
}
