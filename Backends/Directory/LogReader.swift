import BrowserSessions

/// One sound record of a log or snapshot.
struct LogRecord {
    /// Where it begins.
    var start: Int
    /// Where its operations lie.
    var body: Range<Int>
    /// How many bytes of the file were known to be durable when it was written.
    var durable: Int
}

/// Walks the records of a log or snapshot that was read into memory.
struct LogReader {
    let file: [UInt8]
    let salt: UInt32
    /// `nil` if it is damaged.
    let header: LogHeader?
    /// Where records end; what is behind does not count.
    let limit: Int
    private(set) var position = LogHeader.length

    /// `nil` if the header is not sound.
    ///
    /// - Parameter end: how much of the file counts, if that is known.
    init?(_ file: [UInt8], number: Int, end: Int? = nil) {
        guard let header = LogHeader(file, number: number) else { return nil }
        self.file = file
        self.header = header
        salt = header.salt
        limit = min(end ?? file.count, file.count)
    }

    /// A reader for a file whose header is damaged: begins at the first sound record and takes the
    /// salt from it. `nil` if there is none.
    init?(salvaging file: [UInt8], end: Int? = nil) {
        let limit = min(end ?? file.count, file.count)
        guard limit > LogFormat.recordHeaderLength else { return nil }
        for offset in 0..<limit - LogFormat.recordHeaderLength {
            let salt: UInt32 = file.number(at: offset + 4)
            guard Self.record(at: offset, in: file, salt: salt, limit) != nil else { continue }
            self.file = file
            self.salt = salt
            self.limit = limit
            header = nil
            position = offset
            return
        }
        return nil
    }

    var isAtEnd: Bool { position >= limit }

    /// The next record; `nil` at the end or at a place that is not sound.
    mutating func next() -> LogRecord? {
        guard let record = Self.record(at: position, in: file, salt: salt, limit) else {
            return nil
        }
        position = record.body.upperBound
        return record
    }

    /// Goes to the next sound record behind a place that is not; `false` if there is none.
    mutating func resynchronize() -> Bool {
        var candidate = position + 1
        while candidate + LogFormat.recordHeaderLength < limit {
            if Self.record(at: candidate, in: file, salt: salt, limit) != nil {
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
        var rest = self
        var durable = header?.synced ?? 0
        repeat {
            while let record = rest.next() { durable = max(durable, record.durable) }
        } while rest.resynchronize()
        return durable
    }

    /// The cheap checks come first, since any place may be asked for.
    private static func record(at offset: Int, in file: [UInt8], salt: UInt32, _ limit: Int)
        -> LogRecord?
    {
        let start = offset + LogFormat.recordHeaderLength
        guard start < limit, file.number(at: offset + 4) == salt else { return nil }
        let length = Int(file.number(at: offset) as UInt32)
        guard length > 0, length <= LogFormat.maximumBody, length <= limit - start,
            OperationReader.mayBegin(file, start..<start + length)
        else { return nil }
        let unsynced: UInt32 = file.number(at: offset + 12)
        let crc = file.withUnsafeBytes {
            LogFormat.checksum(
                .init(rebasing: $0[start..<start + length]), salt: salt, offset: offset,
                unsynced: unsynced)
        }
        guard crc == file.number(at: offset + 8) else { return nil }
        return LogRecord(
            start: offset, body: start..<start + length, durable: max(0, offset - Int(unsynced)))
    }
}

/// One operation of a record.
enum LogOperation {
    case put(KeySpace, key: [UInt8], value: Range<Int>)
    case remove(KeySpace, key: [UInt8])
    case locate(key: [UInt8], BlobLocation)
    case end(count: Int)
}

/// Reads the operations of a record's body.
struct OperationReader {
    private let file: [UInt8]
    private var position: Int
    private let end: Int

    init(_ file: [UInt8], _ body: Range<Int>) {
        self.file = file
        position = body.lowerBound
        end = body.upperBound
    }

    /// Whether a body may begin like this, by a look at its first two bytes.
    static func mayBegin(_ file: [UInt8], _ body: Range<Int>) -> Bool {
        guard body.count >= 2 else { return false }
        switch file[body.lowerBound] {
        case LogFormat.Tag.put, LogFormat.Tag.remove:
            return KeySpace(rawValue: file[body.lowerBound + 1]) != nil
        case LogFormat.Tag.location, LogFormat.Tag.end: return true
        default: return false
        }
    }

    /// A record whose checksum is right but whose content is not.
    struct Malformed: Error {}

    /// `nil` at the end of the record.
    mutating func next() throws(Malformed) -> LogOperation? {
        guard position < end else { return nil }
        switch try byte() {
        case LogFormat.Tag.put:
            let space = try space()
            return .put(space, key: [UInt8](file[try field()]), value: try field())
        case LogFormat.Tag.remove:
            let space = try space()
            return .remove(space, key: [UInt8](file[try field()]))
        case LogFormat.Tag.location:
            let key = [UInt8](file[try field()])
            let location = BlobLocation(
                log: try varint(), offset: try varint(), length: try varint())
            guard location.offset <= LogHeader.wholeFile / 2,
                location.length <= LogFormat.maximumBody
            else { throw Malformed() }
            return .locate(key: key, location)
        case LogFormat.Tag.end: return .end(count: try varint())
        default: throw Malformed()
        }
    }

    private mutating func byte() throws(Malformed) -> UInt8 {
        guard position < end else { throw Malformed() }
        position += 1
        return file[position - 1]
    }

    private mutating func space() throws(Malformed) -> KeySpace {
        guard let space = KeySpace(rawValue: try byte()) else { throw Malformed() }
        return space
    }

    private mutating func varint() throws(Malformed) -> Int {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(value) }
        }
        throw Malformed()
    }

    private mutating func field() throws(Malformed) -> Range<Int> {
        let length = try varint()
        guard length <= end - position else { throw Malformed() }
        position += length
        return position - length..<position
    }
}
