/// A record that describes its fields in one place.
///
/// What reads and writes the record's bytes, compares records, or prints them, is a
/// ``FieldVisitor``. A field that is added to ``visitFields(_:)`` is therefore in all of them.
package protocol FieldRecord {
    /// A record in which every field has its default value.
    static var blank: Self { get }

    /// Whether records of this type can be inside each other, so that their depth has a limit.
    static var isNestable: Bool { get }

    /// Visits every field of records.proto in the order of their numbers, and then the fields of
    /// newer versions.
    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure)
}

extension FieldRecord {
    package static var isNestable: Bool { false }
}

/// The number and the name of a field.
package struct Field {
    /// The number in records.proto.
    package let number: Int
    /// The name in canonical JSON, and in the result of a comparison.
    package let name: String

    @inline(__always)
    package init(_ number: Int, _ name: String) {
        self.number = number
        self.name = name
    }
}

extension Field: ExpressibleByIntegerLiteral {
    /// A field that needs no name, because nothing compares or prints its record.
    package init(integerLiteral number: Int) { self.init(number, "") }
}

/// A visitor of a record's fields. It may read or replace their values.
package protocol FieldVisitor {
    associatedtype Failure: Error

    /// Whether nothing that is left of the record concerns the visitor, so that visiting may end here.
    var isAtEnd: Bool { get }
    /// Whether fields with their default values do not concern the visitor.
    var omitsAbsent: Bool { get }

    mutating func text(_ field: Field, _ value: inout String) throws(Failure)
    mutating func bytes(_ field: Field, _ value: inout [UInt8]) throws(Failure)
    mutating func number(_ field: Field, _ value: inout Int32) throws(Failure)
    /// Visits an index, which is written as a number one higher; 0 is `nil`.
    mutating func index(_ field: Field, _ value: inout Int?) throws(Failure)
    mutating func flag(_ field: Field, _ value: inout Bool) throws(Failure)
    mutating func time(_ field: Field, _ value: inout Timestamp) throws(Failure)
    /// Visits an identifier that every such record has.
    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>)
        throws(Failure)
    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>?)
        throws(Failure)
    /// Visits the order of a record among its siblings. It is no content: comparisons, digests and
    /// canonical JSON have the order of the records instead.
    mutating func order(_ field: Field, _ value: inout OrderKey) throws(Failure)
    mutating func order(_ field: Field, _ value: inout OrderKey?) throws(Failure)
    mutating func texts(_ field: Field, _ value: inout [String: String]) throws(Failure)
    mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?)
        throws(Failure)
    mutating func records<Record: FieldRecord>(_ field: Field, _ value: inout [Record])
        throws(Failure)
    /// Visits the fields that a newer version wrote, as they were found.
    mutating func unknownFields(_ value: inout [UInt8]) throws(Failure)

    // The fields of a ``WireRecord``. Only what reads and writes bytes visits them.
    mutating func number(_ field: Field, _ value: inout Int) throws(Failure)
    mutating func numbers(_ field: Field, _ values: inout [Int]) throws(Failure)
    mutating func texts(_ field: Field, _ values: inout [String]) throws(Failure)
    mutating func fixed32(_ field: Field, _ value: inout UInt32) throws(Failure)
    mutating func fixed(_ field: Field, _ value: inout Int64) throws(Failure)
    mutating func stored(_ field: Field, _ value: inout StoredNumber) throws(Failure)
    /// Visits a session by its name; a reader leaves out what names none.
    mutating func session(_ field: Field, _ value: inout SessionID?) throws(Failure)
}

extension FieldVisitor {
    package var isAtEnd: Bool { false }
    package var omitsAbsent: Bool { false }

    package mutating func number(_ field: Field, _ value: inout Int) {}
    package mutating func numbers(_ field: Field, _ values: inout [Int]) {}
    package mutating func texts(_ field: Field, _ values: inout [String]) {}
    package mutating func fixed32(_ field: Field, _ value: inout UInt32) {}
    package mutating func fixed(_ field: Field, _ value: inout Int64) {}
    package mutating func stored(_ field: Field, _ value: inout StoredNumber) {}
    package mutating func session(_ field: Field, _ value: inout SessionID?) {}
}
