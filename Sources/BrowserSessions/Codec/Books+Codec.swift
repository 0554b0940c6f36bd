// Messages `Manifest`, `StateEntry` and `Losses` of records.proto: a side's books.

/// The sums over a side's metadata records, written with every change set.
struct Manifest: Equatable {
    var records: UInt64
    var fingerprint: UInt64

    func encodedPayload() -> [UInt8] {
        var writer = WireWriter()
        writer.fixed32(1, UInt32(truncatingIfNeeded: records))
        writer.fixed64(2, Int64(bitPattern: fingerprint))
        return writer.bytes
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

/// Says that a state blob exists, so that its loss is noticed.
struct StateEntry: Equatable {
    /// The stored checksum of the blob's frame.
    var checksum: UInt32
    var length: Int

    func encodedPayload() -> [UInt8] {
        var writer = WireWriter()
        writer.fixed64(1, Int64(checksum))
        writer.fixed64(2, Int64(length))
        return writer.bytes
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
            case (2, .fixed64): length = Int(try reader.fixed64())
            default: _ = try reader.skip(field)
            }
        }
    }
}

extension Loss {
    static func encodedPayload(_ losses: [Loss]) -> [UInt8] {
        var writer = WireWriter()
        for loss in losses {
            writer.message(1) {
                $0.string(1, loss.kind.rawValue)
                $0.string(2, loss.session?.description ?? "")
                $0.identifier(3, loss.tab)
                $0.string(4, loss.detail)
            }
        }
        return writer.bytes
    }

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
            default: _ = try reader.skip(field)
            }
        }
    }
}
