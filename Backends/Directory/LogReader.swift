import BrowserSessions
import StorageEngines

/// One sound record of a log or snapshot.
struct LogRecord {
    /// Where it begins in the file.
    var start: Int
    /// Where its operations are in the file.
    var body: Range<Int>
    /// The operations.
    var bytes: [UInt8]
    /// How many bytes of the file were known to be durable when it was written.
    var durable: Int

    /// Returns the bytes at a range of the file inside the body.
    subscript(range: Range<Int>) -> ArraySlice<UInt8> {
        bytes[range.lowerBound - body.lowerBound..<range.upperBound - body.lowerBound]
    }
}

/// Walks the records of a log or snapshot.
struct LogReader {
    let source: LogSource
    let salt: UInt32
    /// `nil` if it is damaged.
    let header: LogHeader?
    /// Where records end; what follows does not count.
    let limit: Int
    private(set) var position = LogHeader.length
    /// Whether records may have moved, because unsound bytes came before: a block was doubled, for
    /// example.
    private var isLost = false

    /// Returns `nil` if the header is not sound.
    ///
    /// - Parameter end: how much of the file counts, if known.
    init?(_ source: LogSource, number: Int, end: Int? = nil) throws(StorageError) {
        let start = [UInt8](try source.bytes(0..<LogHeader.length))
        guard let header = LogHeader(start, number: number) else { return nil }
        self.source = source
        self.header = header
        salt = header.salt
        limit = min(end ?? source.size, source.size)
    }

    /// Makes a reader for a file with a damaged header. It begins at the first sound record and
    /// takes the salt from it. Returns `nil` if there is none.
    init?(salvaging source: LogSource, end: Int? = nil) throws(StorageError) {
        limit = min(end ?? source.size, source.size)
        self.source = source
        header = nil
        isLost = true
        for offset in 0..<max(0, limit - LogFormat.recordHeaderLength) {
            let head = [UInt8](try source.bytes(offset..<offset + LogFormat.recordHeaderLength + 2))
            guard head.count == LogFormat.recordHeaderLength + 2 else { break }
            let found: UInt32 = head.number(at: 4)
            guard try Self.record(at: offset, in: source, found, limit, mayBeLost: true) != nil
            else { continue }
            salt = found
            position = offset
            return
        }
        return nil
    }

    var isAtEnd: Bool { position >= limit }

    /// Returns the next record; `nil` at the end or at unsound bytes.
    mutating func next() throws(StorageError) -> LogRecord? {
        guard let record = try Self.record(at: position, in: source, salt, limit, mayBeLost: isLost)
        else { return nil }
        position = record.body.upperBound
        return record
    }

    /// Advances to the next sound record after unsound bytes, wherever it was written; returns
    /// `false` if there is none.
    mutating func resynchronize() throws(StorageError) -> Bool {
        isLost = true
        var candidate = position + 1
        // The salt is the second field of a record.
        while let place = try source.find(salt, from: candidate + 4, before: limit) {
            candidate = place - 4
            if try Self.record(at: candidate, in: source, salt, limit, mayBeLost: true) != nil {
                position = candidate
                return true
            }
            candidate += 1
        }
        return false
    }

    /// The most bytes that any mark from here on says were durable, including marks after unsound
    /// bytes.
    var durableBytes: Int {
        get throws(StorageError) {
            var rest = self
            var durable = header?.synced ?? 0
            repeat {
                while let record = try rest.next() { durable = max(durable, record.durable) }
            } while try rest.resynchronize()
            return durable
        }
    }

    /// Makes the cheap checks first, since it is called for any offset.
    ///
    /// - Parameter mayBeLost: whether the record may have been written at another offset.
    private static func record(
        at offset: Int, in source: LogSource, _ salt: UInt32, _ limit: Int, mayBeLost: Bool
    ) throws(StorageError) -> LogRecord? {
        let start = offset + LogFormat.recordHeaderLength
        guard start < limit else { return nil }
        let head = [UInt8](try source.bytes(offset..<min(start + 2, limit)))
        guard head.count == LogFormat.recordHeaderLength + 2, head.number(at: 4) == salt else {
            return nil
        }
        let length = Int(head.number(at: 0) as UInt32)
        guard length > 0, length <= LogFormat.maximumBody, length <= limit - start,
            OperationReader.mayBegin(head[LogFormat.recordHeaderLength...])
        else { return nil }
        let place: UInt32 = head.number(at: 16)
        guard mayBeLost || place == UInt32(truncatingIfNeeded: offset) else { return nil }
        let unsynced: UInt32 = head.number(at: 12)
        let seed = LogFormat.seed(salt: salt, place: place, unsynced: unsynced)
        let range = start..<start + length
        let checksum: UInt32 = head.number(at: 8)
        if mayBeLost {
            // Any bytes may look like the beginning of a long record. Only a sound one is read.
            let found = try source.checksum(of: range, continuing: seed)
            guard CRC32C.masked(found) == checksum else { return nil }
        }
        let body = [UInt8](try source.bytes(range))
        guard body.count == length,
            mayBeLost
                || CRC32C.masked(source.checksum(of: body, continuing: seed)) == checksum
        else { return nil }
        return LogRecord(
            start: offset, body: start..<start + length, bytes: body,
            durable: max(0, Int(place) - Int(unsynced)))
    }
}

/// One operation of a record.
enum LogOperation {
    /// The value is given by its range in the file.
    case put(KeySpace, key: [UInt8], value: Range<Int>)
    case remove(KeySpace, key: [UInt8])
    case locate(key: [UInt8], BlobLocation)
    case end(count: Int)
}

/// Reads the operations of a record's body.
struct OperationReader {
    private let bytes: [UInt8]
    /// The offset of the bytes in the file.
    private let base: Int
    private var position = 0

    init(_ record: LogRecord) { self.init(record.bytes, at: record.body.lowerBound) }

    init(_ bytes: [UInt8], at base: Int) {
        self.bytes = bytes
        self.base = base
    }

    /// Returns whether a body may begin with these two bytes.
    static func mayBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, let second = bytes.dropFirst().first else { return false }
        switch first {
        case LogFormat.Tag.put, LogFormat.Tag.remove: return KeySpace(rawValue: second) != nil
        case LogFormat.Tag.location, LogFormat.Tag.end: return true
        default: return false
        }
    }

    /// A record with a correct checksum and invalid content.
    struct Malformed: Error {}

    /// Returns `nil` at the end of the record.
    mutating func next() throws(Malformed) -> LogOperation? {
        guard position < bytes.count else { return nil }
        switch try byte() {
        case LogFormat.Tag.put:
            let space = try space()
            let key = [UInt8](bytes[try field()])
            let value = try field()
            return .put(space, key: key, value: value.lowerBound + base..<value.upperBound + base)
        case LogFormat.Tag.remove:
            let space = try space()
            return .remove(space, key: [UInt8](bytes[try field()]))
        case LogFormat.Tag.location:
            let key = [UInt8](bytes[try field()])
            return .locate(key: key, try location())
        case LogFormat.Tag.end: return .end(count: try varint().index)
        default: throw Malformed()
        }
    }

    private mutating func byte() throws(Malformed) -> UInt8 {
        guard position < bytes.count else { throw Malformed() }
        position += 1
        return bytes[position - 1]
    }

    private mutating func space() throws(Malformed) -> KeySpace {
        guard let space = KeySpace(rawValue: try byte()) else { throw Malformed() }
        return space
    }

    private mutating func varint() throws(Malformed) -> StoredNumber {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << shift
            guard byte < 0x80 else { continue }
            guard let number = StoredNumber(value) else { throw Malformed() }
            return number
        }
        throw Malformed()
    }

    private mutating func location() throws(Malformed) -> BlobLocation {
        let (log, offset, length) = (try varint(), try varint(), try varint())
        guard length.value <= LogFormat.maximumBody, offset.adding(length) != nil else {
            throw Malformed()
        }
        return BlobLocation(log: log.index, offset: offset.index, length: length.index)
    }

    private mutating func field() throws(Malformed) -> Range<Int> {
        let length = try varint().index
        guard length <= bytes.count - position else { throw Malformed() }
        position += length
        return position - length..<position
    }
}
