import BrowserSessions

/// Walks the records of a log or snapshot that was read into memory.
struct LogReader {
    let file: [UInt8]
    let salt: UInt32
    private(set) var position = LogFormat.headerLength

    /// `nil` if the header is not sound.
    init?(_ file: [UInt8], number: Int) {
        guard let salt = LogFormat.salt(of: file, number: number) else { return nil }
        self.file = file
        self.salt = salt
    }

    /// A reader for a file whose header is damaged: begins at the first sound record and takes the
    /// salt from it. `nil` if there is none.
    init?(salvaging file: [UInt8]) {
        guard file.count > LogFormat.recordHeaderLength else { return nil }
        for offset in 0..<file.count - LogFormat.recordHeaderLength {
            let salt = Self.number(at: offset + 4, in: file)
            guard Self.body(at: offset, in: file, salt: salt) != nil else { continue }
            self.file = file
            self.salt = salt
            position = offset
            return
        }
        return nil
    }

    var isAtEnd: Bool { position >= file.count }

    /// The range of the next record's body; `nil` at the end or at a record that is not sound.
    mutating func next() -> Range<Int>? {
        guard let body = Self.body(at: position, in: file, salt: salt) else { return nil }
        position = body.upperBound
        return body
    }

    /// Goes to the next sound record behind a damaged one; `false` if there is none.
    mutating func resynchronize() -> Bool {
        var candidate = position + 1
        while candidate + LogFormat.recordHeaderLength < file.count {
            if Self.body(at: candidate, in: file, salt: salt) != nil {
                position = candidate
                return true
            }
            candidate += 1
        }
        return false
    }

    private static func number(at offset: Int, in file: [UInt8]) -> UInt32 {
        file.withUnsafeBytes {
            UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
    }

    /// The cheap checks come first, since any place may be asked for.
    private static func body(at offset: Int, in file: [UInt8], salt: UInt32) -> Range<Int>? {
        let start = offset + LogFormat.recordHeaderLength
        guard start < file.count, number(at: offset + 4, in: file) == salt else { return nil }
        let length = Int(number(at: offset, in: file))
        guard length > 0, length <= LogFormat.maximumBody, length <= file.count - start,
            OperationReader.mayBegin(file, start..<start + length)
        else { return nil }
        let crc = file.withUnsafeBytes {
            LogFormat.checksum(
                .init(rebasing: $0[start..<start + length]), salt: salt, offset: offset)
        }
        return crc == number(at: offset + 8, in: file) ? start..<start + length : nil
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
