// Messages `Manifest`, `StateEntry` and `Losses` of records.proto: what a partition should hold.

import BrowserSessions

/// The sums over a partition's metadata records, written with every change set.
struct Manifest: Equatable, WireMessage {
    var records: UInt64
    var fingerprint: UInt64

    var encodedCapacity: Int { 14 }

    func encode(to writer: inout WireWriter) {
        writer.fixed32(1, UInt32(truncatingIfNeeded: records))
        writer.fixed64(2, Int64(bitPattern: fingerprint))
    }

    /// Counts a record that is added, removed or replaced, by its fingerprints.
    mutating func replace(_ old: UInt64?, with new: UInt64?) {
        records = records &+ (new == nil ? 0 : 1) &- (old == nil ? 0 : 1)
        fingerprint = fingerprint &+ (new ?? 0) &- (old ?? 0)
    }

    init(records: UInt64, fingerprint: UInt64) {
        self.records = records
        self.fingerprint = fingerprint
    }

    init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(records: 0, fingerprint: 0)
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .fixed32): records = UInt64(try reader.fixed32())
            case (2, .fixed64): fingerprint = UInt64(bitPattern: try reader.fixed64())
            default: _ = try reader.skip(field)
            }
        }
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

    init(checksum: UInt32, length: Int) {
        self.checksum = checksum
        self.length = length
    }

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

extension [Loss]: WireMessage {
    var encodedCapacity: Int { 128 * count }

    func encode(to writer: inout WireWriter) {
        for loss in self {
            writer.message(1) {
                $0.string(1, loss.kind.rawValue)
                $0.string(2, loss.session?.description ?? "")
                $0.identifier(3, loss.tab)
                $0.string(4, loss.detail)
                $0.identifier(5, loss.node)
            }
        }
    }
}

extension Loss {
    static func decode(_ payload: UnsafeRawBufferPointer) throws(WireError) -> [Loss] {
        var losses: [Loss] = []
        var reader = WireReader(payload)
        while let field = try reader.next() {
            guard field.number == 1, field.type == .lengthDelimited else {
                _ = try reader.skip(field)
                continue
            }
            losses.append(try Loss(payload: try reader.span()))
        }
        return losses
    }

    private init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(.unknownRecords, detail: "")
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited):
                kind = Kind(rawValue: try reader.string()) ?? .unknownRecords
            case (2, .lengthDelimited): session = SessionID(try reader.string())
            case (3, .lengthDelimited): tab = try reader.identifier()
            case (4, .lengthDelimited): detail = try reader.string()
            case (5, .lengthDelimited): node = try reader.identifier()
            default: _ = try reader.skip(field)
            }
        }
    }
}
