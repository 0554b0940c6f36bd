import BrowserSessions
import StorageEngines

/// One sound record of a log or snapshot.
struct LogRecord {
    /// Where it begins.
    var start: Int
    /// Where its operations lie.
    var body: Range<Int>
    /// The operations.
    var bytes: [UInt8]
    /// How many bytes of the file were known to be durable when it was written.
    var durable: Int

    /// What lies at a range of the file that is within the body.
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
    /// Where records end; what is behind does not count.
    let limit: Int
    private(set) var position = LogHeader.length
    /// Behind a place that is not sound, records may not be where they were: a block was doubled, say.
    private var isLost = false

    /// `nil` if the header is not sound.
    ///
    /// - Parameter end: how much of the file counts, if that is known.
    init?(_ source: LogSource, number: Int, end: Int? = nil) throws(StorageError) {
        let start = [UInt8](try source.bytes(0..<LogHeader.length))
        guard let header = LogHeader(start, number: number) else { return nil }
        self.source = source
        self.header = header
        salt = header.salt
        limit = min(end ?? source.size, source.size)
    }

    /// A reader for a file whose header is damaged: begins at the first sound record and takes the
    /// salt from it. `nil` if there is none.
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

    /// The next record; `nil` at the end or at a place that is not sound.
    mutating func next() throws(StorageError) -> LogRecord? {
        guard let record = try Self.record(at: position, in: source, salt, limit, mayBeLost: isLost)
        else { return nil }
        position = record.body.upperBound
        return record
    }

    /// Goes to the next sound record behind a place that is not, wherever it was written; `false` if
    /// there is none.
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

    /// How many bytes of the file some mark from here on says were durable, marks behind places that are
    /// not sound among them.
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

    /// The cheap checks come first, since any place may be asked for.
    ///
    /// - Parameter mayBeLost: whether it may have been written at another place of the file.
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
            // Every place may look like a record that reaches far. Only one that is sound is read.
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
    /// The value by its place in the file.
    case put(KeySpace, key: [UInt8], value: Range<Int>)
    case remove(KeySpace, key: [UInt8])
    case locate(key: [UInt8], BlobLocation)
    case end(count: Int)
}

/// Reads the operations of a record's body.
struct OperationReader {
    private let bytes: [UInt8]
    /// Where the bytes lie in the file.
    private let base: Int
    private var position = 0

    init(_ record: LogRecord) { self.init(record.bytes, at: record.body.lowerBound) }

    init(_ bytes: [UInt8], at base: Int) {
        self.bytes = bytes
        self.base = base
    }

    /// Whether a body may begin like this, by its first two bytes.
    static func mayBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, let second = bytes.dropFirst().first else { return false }
        switch first {
        case LogFormat.Tag.put, LogFormat.Tag.remove: return KeySpace(rawValue: second) != nil
        case LogFormat.Tag.location, LogFormat.Tag.end: return true
        default: return false
        }
    }

    /// A record whose checksum is right but whose content is not.
    struct Malformed: Error {}

    /// `nil` at the end of the record.
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
