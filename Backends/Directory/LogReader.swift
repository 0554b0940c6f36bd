import BrowserSessions

/// Walks the records of a log or snapshot that was read into memory.
struct LogReader {
    let file: [UInt8]
    let salt: UInt64
    private(set) var position = LogFormat.headerLength

    /// `nil` if the header is not sound.
    init?(_ file: [UInt8], number: Int) {
        guard let salt = LogFormat.salt(of: file, number: number) else { return nil }
        self.file = file
        self.salt = salt
    }

    var isAtEnd: Bool { position >= file.count }

    /// The range of the next record's body; `nil` at the end or at a record that is not sound.
    mutating func next() -> Range<Int>? {
        guard let body = body(at: position) else { return nil }
        position = body.upperBound
        return body
    }

    /// Goes to the next sound record behind a damaged one; `false` if there is none.
    mutating func resynchronize() -> Bool {
        var candidate = position + 1
        while candidate + LogFormat.recordHeaderLength < file.count {
            if body(at: candidate) != nil {
                position = candidate
                return true
            }
            candidate += 1
        }
        return false
    }

    private func body(at offset: Int) -> Range<Int>? {
        file.withUnsafeBytes { bytes in
            let start = offset + LogFormat.recordHeaderLength
            guard start < bytes.count else { return nil }
            let length = Int(
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            guard length > 0, length <= LogFormat.maximumBody, length <= bytes.count - start else {
                return nil
            }
            let stored = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let body = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
            let crc = LogFormat.checksum(body, salt: salt, offset: offset)
            return crc == UInt32(littleEndian: stored) ? start..<start + length : nil
        }
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
