// Message `RestorePoint` of records.proto.

import BrowserSessions

/// The record of a restore point: its description, and the sums over its records.
struct PointRecord: Equatable, WireRecord {
    var point = RestorePoint(
        id: RestorePointID(rawValue: 0), takenAt: .unknown, reason: .init(rawValue: ""))
    var sums = Manifest()
    /// The store's count of seconds when it was taken; see ``PointClock``.
    var count: Int64 = 0

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.fixed(1, &point.takenAt.microseconds)
        try visitor.text(2, &point.reason.rawValue)
        try visitor.text(3, &point.name)
        try visitor.flag(4, &point.isPinned)
        try visitor.part(5, &sums)
        try visitor.fixed(6, &count)
        try visitor.number(7, &point.tabCount)
        try visitor.number(8, &point.lostTabCount)
    }
}

extension PointRecord {
    init(number: StoredNumber, payload: UnsafeRawBufferPointer) throws(WireError) {
        try self.init(payload: payload)
        point.id = RestorePointID(rawValue: number.value)
        (point.tabCount, point.lostTabCount) = (max(0, point.tabCount), max(0, point.lostTabCount))
    }
}
