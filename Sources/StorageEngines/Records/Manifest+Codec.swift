// Messages `Manifest`, `StateEntry` and `Losses` of records.proto: what a partition should hold.

package import BrowserSessions

/// The sums over a partition's metadata records, written with every change set.
struct Manifest: Equatable, WireRecord {
    var records: UInt64 = 0
    var fingerprint: UInt64 = 0

    var encodedCapacity: Int { 14 }

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        var count = UInt32(truncatingIfNeeded: records)
        try visitor.fixed32(1, &count)
        var sum = Int64(bitPattern: fingerprint)
        try visitor.fixed(2, &sum)
        (records, fingerprint) = (UInt64(count), UInt64(bitPattern: sum))
    }

    /// Counts a record that is added, removed or replaced.
    mutating func replace(_ old: RecordStamp?, with new: RecordStamp?) {
        records = records &+ (new == nil ? 0 : 1) &- (old == nil ? 0 : 1)
        fingerprint = fingerprint &+ (new?.fingerprint ?? 0) &- (old?.fingerprint ?? 0)
    }
}

/// Records that a state blob exists, so that its loss is noticed.
struct StateEntry: Equatable, WireMessage {
    /// The stored checksum of the blob's frame.
    var checksum: UInt32
    var length: Int

    /// The greatest value of the option `maximumStateBytes`.
    private static let maximumLength = StoredNumber.zero.adding(1 << 30) ?? .zero

    var encodedCapacity: Int { 18 }

    func encode(to writer: inout WireWriter) {
        writer.fixed64(1, Int64(checksum))
        writer.fixed64(2, Int64(length))
    }
}

extension StateEntry {
    init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(checksum: 0, length: 0)
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .fixed64):
                checksum = UInt32(truncatingIfNeeded: try reader.fixed64())
            case (2, .fixed64):
                guard let number = StoredNumber(try reader.fixed64()), number <= Self.maximumLength
                else { throw WireError(problem: "a state cannot be as long") }
                length = number.index
            default: _ = try reader.skip(field)
            }
        }
    }
}

/// The message of a record that needs only its key.
struct NoContent: WireMessage {
    var encodedCapacity: Int { 0 }

    func encode(to writer: inout WireWriter) {}
}

/// The losses of a partition that are not accepted yet.
struct Losses: WireRecord {
    var losses: [Loss] = []

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.records(1, &losses)
    }
}

extension Loss: WireRecord {
    package init() { self.init(.unknownRecords, detail: "") }

    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        var name = kind.rawValue
        try visitor.text(1, &name)
        kind = Kind(rawValue: name) ?? .unknownRecords
        try visitor.session(2, &session)
        try visitor.identifier(3, &tab)
        try visitor.text(4, &detail)
        try visitor.identifier(5, &node)
    }
}
