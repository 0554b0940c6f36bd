// Message `RestorePoint` of records.proto.

import BrowserSessions

/// The record of a restore point: its description, and the sums over its records.
struct PointRecord: Equatable, WireMessage {
    var point: RestorePoint
    var sums: Manifest
    /// The store's count of seconds when it was taken; see ``PointClock``.
    var count: Int64

    var encodedCapacity: Int { 64 + point.name.utf8.count }

    func encode(to writer: inout WireWriter) {
        writer.fixed64(1, point.takenAt.microseconds)
        writer.string(2, point.reason.rawValue)
        writer.string(3, point.name)
        writer.bool(4, point.isPinned)
        writer.message(5) { sums.encode(to: &$0) }
        writer.fixed64(6, count)
        writer.int32(7, Int32(clamping: point.tabCount))
        writer.int32(8, Int32(clamping: point.lostTabCount))
    }

    init(_ point: RestorePoint, _ sums: Manifest, count: Int64) {
        self.point = point
        self.sums = sums
        self.count = count
    }

    init(number: StoredNumber, payload: UnsafeRawBufferPointer) throws(WireError) {
        point = RestorePoint(
            id: RestorePointID(rawValue: number.value), takenAt: .unknown,
            reason: .init(rawValue: ""))
        sums = Manifest(records: 0, fingerprint: 0)
        count = 0
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .fixed64): point.takenAt = Timestamp(microseconds: try reader.fixed64())
            case (2, .lengthDelimited):
                point.reason = RestorePoint.Reason(rawValue: try reader.string())
            case (3, .lengthDelimited): point.name = try reader.string()
            case (4, .varint): point.isPinned = try reader.bool()
            case (5, .lengthDelimited): sums = try Manifest(payload: try reader.span())
            case (6, .fixed64): count = try reader.fixed64()
            case (7, .varint): point.tabCount = Int(max(0, try reader.int32()))
            case (8, .varint): point.lostTabCount = Int(max(0, try reader.int32()))
            default: _ = try reader.skip(field)
            }
        }
    }
}
