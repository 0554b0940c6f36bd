import StorageEngines
import TestSupport

@testable import DirectoryBackend

/// A log or snapshot with changed values and checksums that are right all the same.
struct ResealedFile {
    var header: [UInt8]
    var records: [Record]

    struct Record {
        var place: UInt32
        var unsynced: UInt32
        /// Other than that of the body, if it is to be.
        var length: UInt32?
        var body: [UInt8]
    }

    /// `nil` if the file is not sound.
    init?(_ bytes: [UInt8], number: Int) throws {
        guard var reader = try LogReader(LogSource(bytes), number: number) else { return nil }
        header = [UInt8](bytes.prefix(LogHeader.length))
        records = []
        while let record = try reader.next() {
            records.append(
                Record(
                    place: bytes.number(at: record.start + 16),
                    unsynced: bytes.number(at: record.start + 12), body: record.bytes))
        }
    }

    var bytes: [UInt8] {
        let salt: UInt32 = header.number(at: 16)
        var bytes = header
        for record in records {
            let seed = LogFormat.seed(salt: salt, place: record.place, unsynced: record.unsynced)
            let checksum = CRC32C.masked(CRC32C.checksum(record.body, continuing: seed))
            let length = record.length ?? UInt32(record.body.count)
            for word in [length, salt, checksum, record.unsynced, record.place] {
                LogFormat.append(word, to: &bytes)
            }
            bytes += record.body
        }
        return bytes
    }

    /// Records lie elsewhere after one became longer or shorter.
    mutating func place() {
        var place = LogHeader.length
        for index in records.indices {
            records[index].place = UInt32(truncatingIfNeeded: place)
            place += LogFormat.recordHeaderLength + records[index].body.count
        }
    }

    /// How a file is changed: formats may change, so that recipes are kept and no files.
    enum Recipe: Sendable {
        /// 8 bytes of the header.
        case header(at: Int, UInt64)
        /// A word of a record's head: 0 is the length, 1 `unsynced`, 2 `place`.
        case head(record: Int, word: Int, UInt32)
        /// A byte of a record's body.
        case byte(record: Int, at: Int, UInt8)
        /// A number in the place of a byte of a record's body, which may become longer.
        case number(record: Int, at: Int, UInt64)
        /// A record stands once more, or not at all.
        case double(record: Int)
        case drop(record: Int)
        /// The whole file has another number, in its name and its header.
        case rename(Int)
    }

    mutating func apply(_ recipe: Recipe) {
        guard !records.isEmpty else { return }
        let count = records.count
        switch recipe {
        case .header(let place, let value): Self.setHeader(&header, value, at: place)
        case .head(let record, 0, let value): records[record % count].length = value
        case .head(let record, 1, let value): records[record % count].unsynced = value
        case .head(let record, _, let value): records[record % count].place = value
        case .byte(let record, let place, let value):
            let body = records[record % count].body.count
            records[record % count].body[place % body] = value
        case .number(let record, let place, let value):
            let place = place % records[record % count].body.count
            records[record % count].body
                .replaceSubrange(place...place, with: HostileBytes.varint(value))
            self.place()
        case .double(let record):
            records.insert(records[record % count], at: record % count)
            place()
        case .drop(let record):
            records.remove(at: record % count)
            place()
        case .rename(let number): Self.setHeader(&header, UInt64(number), at: 8)
        }
    }

    /// Puts a number of 8 bytes into the header of a file.
    static func setHeader(_ file: inout [UInt8], _ number: UInt64, at place: Int) {
        var header: [UInt8] = Array(file.prefix(LogHeader.length - 4))
        var bytes: [UInt8] = []
        LogFormat.append(number, to: &bytes)
        header.replaceSubrange(place..<place + 8, with: bytes)
        LogFormat.append(CRC32C.masked(CRC32C.checksum(header)), to: &header)
        file.replaceSubrange(..<LogHeader.length, with: header)
    }
}
