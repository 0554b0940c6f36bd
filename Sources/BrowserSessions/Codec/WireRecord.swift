/// A message of a store or a plan that lists its fields once, for writing and for reading.
package protocol WireRecord: FieldRecord, WireMessage {
    /// Creates a message in which every field has its default.
    init()
}

extension WireRecord {
    package static var blank: Self { Self() }

    package var encodedCapacity: Int { 128 }

    /// Reads a message. Fields that it does not have are passed over.
    package init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init()
        try WireDecoder.read(&self, from: payload)
    }
}

extension FieldVisitor {
    /// Visits a record that is always written.
    package mutating func part<Record: WireRecord>(_ field: Field, _ value: inout Record)
        throws(Failure)
    {
        var record = Optional(value)
        try self.record(field, &record)
        value = record ?? value
    }
}
