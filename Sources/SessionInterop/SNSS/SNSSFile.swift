import BrowserSessions

/// The container of Chromium's session logs.
///
/// A header of eight bytes (`SNSS` and a version), then records of a 16-bit size, an 8-bit command
/// and a payload. The size counts the command and the payload. All numbers are little-endian.
struct SNSSFile {
    struct Record {
        var command: UInt8
        var payload: ArraySlice<UInt8>
        /// Of the record's size, in the file.
        var offset: Int
    }

    static let magic = Array("SNSS".utf8)
    /// A command of version 3 that ends the state at the time when the file was begun.
    static let markerCommand: UInt8 = 255

    let version: Int32
    private(set) var records: [Record] = []
    /// Where a record goes beyond the end of the file, or there are too many of them.
    private(set) var tornAt: Int?

    init(_ bytes: [UInt8], limits: ImportLimits) throws(StorageError) {
        var reader = ByteReader(bytes[...])
        guard let magic = reader.take(4), Array(magic) == Self.magic else {
            throw SourceFile.failure(.incompatibleFormat, "the file is not a session log")
        }
        guard let version: Int32 = reader.integer() else {
            throw SourceFile.failure(.corrupted, "the header of the session log is incomplete")
        }
        switch version {
        case 1, 3: self.version = version
        case 2, 4:
            throw SourceFile.failure(
                .unsupported,
                "the session log is encrypted (version \(version)); its key is in the system's "
                    + "key store, so only the browser can read it")
        default:
            throw SourceFile.failure(
                .incompatibleFormat, "version \(version) of the session log is not known")
        }
        readRecords(&reader, limits.maximumParts)
    }

    private mutating func readRecords(_ reader: inout ByteReader, _ maximum: Int) {
        while reader.remaining > 0 {
            let offset = reader.position
            guard records.count < maximum, let size: UInt16 = reader.integer(), size > 0,
                let command: UInt8 = reader.integer(),
                let payload = reader.take(Int(size) - 1)
            else {
                tornAt = offset
                return
            }
            records.append(Record(command: command, payload: payload, offset: offset))
        }
    }
}

/// Reads the values of a Chromium pickle: 4-byte steps, texts with their length in front.
struct PickleReader {
    private var reader: ByteReader

    /// `nil` if the payload does not begin with its own size.
    init?(_ payload: ArraySlice<UInt8>) {
        var reader = ByteReader(payload)
        guard let size: UInt32 = reader.integer(), let count = Int(exactly: size),
            let content = reader.take(count)
        else { return nil }
        self.reader = ByteReader(content)
    }

    mutating func int() -> Int32? { reader.integer() }

    mutating func int64() -> Int64? { reader.integer() }

    mutating func bool() -> Bool? { int().map { $0 != 0 } }

    mutating func bytes() -> [UInt8]? {
        guard let count = int(), let bytes = reader.take(Int(count)) else { return nil }
        reader.skip((4 - Int(count) % 4) % 4)
        return Array(bytes)
    }

    mutating func string() -> String? { bytes().map { String(decoding: $0, as: UTF8.self) } }

    /// A text of 16-bit units.
    mutating func string16() -> String? {
        guard let count = int(), count >= 0, let bytes = reader.take(2 * Int(count)) else {
            return nil
        }
        reader.skip((4 - 2 * Int(count) % 4) % 4)
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// A 128-bit token, high half first.
    mutating func token() -> TabGroupID? {
        guard let high = int64(), let low = int64() else { return nil }
        return TabGroupID(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    }
}
