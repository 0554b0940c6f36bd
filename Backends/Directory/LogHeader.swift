import BrowserSessions
import StorageEngines

/// The beginning of a log or snapshot.
struct LogHeader: Equatable {
    static let magic = [UInt8]("BSLOG02\n".utf8)
    static let length = 40
    /// A value of ``before``: as much as is sound.
    static let wholeFile = Int(Int64.max)

    /// The number of the file.
    var number: Int
    var salt: UInt32
    /// How many bytes of the previous log count; all of them are durable.
    var before = wholeFile
    /// How many bytes of this file, including the header, were durable before it got its name.
    var synced = length

    init(number: Int, before: Int = wholeFile, salt: UInt32) {
        self.number = number
        self.before = before
        self.salt = salt
    }

    /// Returns `nil` unless the file begins with a sound header of that number.
    init?(_ file: [UInt8], number: Int) {
        guard file.count >= Self.length, file.starts(with: Self.magic) else { return nil }
        self.number = number
        salt = file.number(at: 16)
        let before: UInt64 = file.number(at: 20)
        guard before == UInt64(Self.wholeFile) || StoredNumber(before) != nil,
            let synced = StoredNumber(file.number(at: 28) as UInt64)
        else { return nil }
        self.before = Int(before)
        self.synced = synced.index
        guard file.prefix(Self.length).elementsEqual(bytes) else { return nil }
    }

    var bytes: [UInt8] {
        var bytes = Self.magic
        LogFormat.append(UInt64(number), to: &bytes)
        LogFormat.append(salt, to: &bytes)
        LogFormat.append(UInt64(before), to: &bytes)
        LogFormat.append(UInt64(synced), to: &bytes)
        LogFormat.append(CRC32C.masked(CRC32C.checksum(bytes)), to: &bytes)
        return bytes
    }
}

/// A log or snapshot that is built in memory.
struct LogFile {
    private let salt: UInt32
    private(set) var bytes: [UInt8]

    init(_ header: LogHeader) {
        salt = header.salt
        bytes = header.bytes
    }

    /// Appends a record. It records only the header as durable when it was written.
    mutating func append(_ record: inout RecordBuilder) {
        bytes += record.seal(salt: salt, offset: bytes.count, durable: LogHeader.length)
    }

    /// - Parameter header: a header with the same salt.
    mutating func replaceHeader(_ header: LogHeader) {
        bytes.replaceSubrange(..<LogHeader.length, with: header.bytes)
    }
}

extension [UInt8] {
    /// Returns a little-endian number; the bytes must exist.
    func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
        withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
    }
}
