@testable import BrowserSessions
@testable import StorageEngines

/// The codec's entry points as functions over arrays.
enum Payloads {
    static func tab(_ bytes: [UInt8], id: TabID = TabID(high: 1, low: 2)) throws -> TabMetadata {
        try bytes.withUnsafeBytes {
            try TabMetadata(id: id, payload: $0)
        }
    }

    static func node(_ bytes: [UInt8], id: NodeID = NodeID(high: 1, low: 2)) throws -> StructureNode
    {
        try bytes.withUnsafeBytes { try StructureNode(id: id, payload: $0) }
    }

    static func attributes(_ bytes: [UInt8]) throws -> SessionAttributes {
        try bytes.withUnsafeBytes { try SessionAttributes(payload: $0) }
    }

    static func history(_ bytes: [UInt8]) throws -> NavigationHistory {
        try NavigationHistory(encoded: bytes)
    }

    static func manifest(_ bytes: [UInt8]) throws -> Manifest {
        try bytes.withUnsafeBytes { try Manifest(payload: $0) }
    }

    static func stateEntry(_ bytes: [UInt8]) throws -> StateEntry {
        try bytes.withUnsafeBytes { try StateEntry(payload: $0) }
    }

    static func point(_ bytes: [UInt8], number: StoredNumber) throws -> PointRecord {
        try bytes.withUnsafeBytes { try PointRecord(number: number, payload: $0) }
    }

    static func losses(_ bytes: [UInt8]) throws -> [Loss] {
        try bytes.withUnsafeBytes { try Losses(payload: $0).losses }
    }
}

/// Field by field, as any protobuf writer would.
extension WireWriter {
    /// Fields that no message of today has: one of each wire type.
    static let newerFields: [UInt8] = {
        var writer = WireWriter()
        writer.int32(100, -7)
        writer.fixed64(101, .min)
        writer.string(102, "from the future")
        writer.varint(103 << 3 | WireType.fixed32.rawValue)
        writer.bytes += [1, 2, 3, 4]
        writer.message(536_870_911) { $0.bool(1, true) }
        return writer.bytes
    }()
}
