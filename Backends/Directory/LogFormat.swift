import BrowserSessions
import StorageEngines

/// The format of logs and snapshots.
///
/// ```text
/// file     := header record*
/// header   := "BSLOG02\n" number:u64 salt:u32 before:u64 synced:u64 checksum:u32  (40 bytes)
/// record   := length:u32 salt:u32 checksum:u32 unsynced:u32 place:u32 body:length  (length > 0)
/// body     := operation*
/// operation := 1 space:u8 key value | 2 space:u8 key | 3 key location | 4 count
/// key, value := length:varint bytes
/// location := number:varint offset:varint length:varint       where a state blob is in a log
/// ```
/// Numbers are little-endian. A record is one batch. Its checksum is a masked CRC-32C over salt,
/// `place`, `unsynced` and body. The salt makes it valid for this file only, and `place`, the
/// record's offset in the file, for that offset. Each record repeats the salt. So records can be
/// found after damage without trying every length, even if the header is gone or a part of the file
/// was inserted or left out. A snapshot is complete if its last record is operation 4 with the
/// number of operations before it.
///
/// Marks say what is durable. A file gets its name when its first `synced` bytes are durable, and
/// when the first `before` bytes of the previous log are durable and are all that counts of it. The
/// last `unsynced` bytes before a record were not known to be durable when it was written; the
/// bytes before them were. Unsound bytes are damage if a mark says that they were durable.
/// Otherwise the log ends there: a power cut took what followed, or a part of it.
enum LogFormat {
    static let recordHeaderLength = 20
    /// The maximum length of a batch, 1 GiB.
    static let maximumBody = 1 << 30

    enum Tag {
        static let put: UInt8 = 1
        static let remove: UInt8 = 2
        static let location: UInt8 = 3
        static let end: UInt8 = 4
    }

    static func checksum(
        _ body: UnsafeRawBufferPointer, salt: UInt32, place: UInt32, unsynced: UInt32
    ) -> UInt32 {
        CRC32C.masked(
            CRC32C.checksum(
                body, continuing: seed(salt: salt, place: place, unsynced: unsynced)))
    }

    /// Returns the checksum that a body's checksum continues.
    static func seed(salt: UInt32, place: UInt32, unsynced: UInt32) -> UInt32 {
        var head = (salt.littleEndian, place.littleEndian, unsynced.littleEndian)
        return withUnsafeBytes(of: &head) { CRC32C.checksum($0) }
    }

    static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    static func appendVarint(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt64(number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// The location of a state blob. The sum of offset and length is a ``StoredNumber`` too.
struct BlobLocation: Equatable {
    /// The number of the log.
    var log: Int
    var offset: Int
    var length: Int

    /// Sorts by the order in which they are read.
    static func < (left: BlobLocation, right: BlobLocation) -> Bool {
        (left.log, left.offset) < (right.log, right.offset)
    }
}

/// A record being built; its bytes begin with space for the record's header.
struct RecordBuilder {
    private(set) var bytes: [UInt8] = []
    private(set) var operations = 0

    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
        for _ in 0..<LogFormat.recordHeaderLength { bytes.append(0) }
    }

    /// Returns the offset of the value in the record.
    mutating func put(_ space: KeySpace, _ key: [UInt8], _ value: [UInt8]) -> Int {
        operations += 1
        bytes.append(LogFormat.Tag.put)
        bytes.append(space.rawValue)
        appendField(key)
        LogFormat.appendVarint(value.count, to: &bytes)
        let start = bytes.count
        bytes.append(contentsOf: value)
        return start
    }

    mutating func remove(_ space: KeySpace, _ key: [UInt8]) {
        operations += 1
        bytes.append(LogFormat.Tag.remove)
        bytes.append(space.rawValue)
        appendField(key)
    }

    mutating func locate(_ key: [UInt8], _ location: BlobLocation) {
        operations += 1
        bytes.append(LogFormat.Tag.location)
        appendField(key)
        LogFormat.appendVarint(location.log, to: &bytes)
        LogFormat.appendVarint(location.offset, to: &bytes)
        LogFormat.appendVarint(location.length, to: &bytes)
    }

    /// Adds the operations of another record unchanged.
    mutating func copy(_ body: [UInt8]) {
        operations += 1
        bytes += body
    }

    mutating func end(after count: Int) {
        bytes.append(LogFormat.Tag.end)
        LogFormat.appendVarint(count, to: &bytes)
    }

    private mutating func appendField(_ field: [UInt8]) {
        LogFormat.appendVarint(field.count, to: &bytes)
        bytes.append(contentsOf: field)
    }

    /// Returns the whole record for `offset` of a file with this salt, when the first `durable`
    /// bytes of the file are known to be durable.
    mutating func seal(salt: UInt32, offset: Int, durable: Int) -> [UInt8] {
        let start = LogFormat.recordHeaderLength
        let length = UInt32(bytes.count - start)
        let unsynced = UInt32(clamping: offset - durable)
        let place = UInt32(truncatingIfNeeded: offset)
        let crc = bytes.withUnsafeBytes {
            LogFormat.checksum(
                .init(rebasing: $0[start...]), salt: salt, place: place, unsynced: unsynced)
        }
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: length.littleEndian, as: UInt32.self)
            $0.storeBytes(of: salt.littleEndian, toByteOffset: 4, as: UInt32.self)
            $0.storeBytes(of: crc.littleEndian, toByteOffset: 8, as: UInt32.self)
            $0.storeBytes(of: unsynced.littleEndian, toByteOffset: 12, as: UInt32.self)
            $0.storeBytes(of: place.littleEndian, toByteOffset: 16, as: UInt32.self)
        }
        return bytes
    }
}
