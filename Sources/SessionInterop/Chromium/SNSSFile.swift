import BrowserSessions

/// The container of Chromium's session logs.
///
/// It has a header of eight bytes (`SNSS` and a version), followed by records of a 16-bit size, an
/// 8-bit command and a payload. The size counts the command and the payload. All numbers are
/// little-endian. There is no checksum. A record counts as damaged if it does not have the form of
/// its command and too few of the records after it have theirs.
struct SNSSFile {
    struct Record {
        var command: UInt8
        var payload: ArraySlice<UInt8>
        /// The offset of the record's size in the file.
        var offset: Int
        /// The offset of the first byte after the record.
        var end: Int { payload.endIndex }
        /// Whether the record ends the initial state of the file, as in version 3.
        var isMarker: Bool { command == SNSSFile.markerCommand && payload.isEmpty }
    }

    static let magic = Array("SNSS".utf8)
    static let markerCommand: UInt8 = 255

    let version: Int32
    /// The kind, determined by the records, or by the name if the records do not show it.
    let kind: SNSSKind
    private(set) var records: [Record] = []
    /// The ranges of bytes between records that are not read.
    private(set) var gaps: [Range<Int>] = []
    /// The bytes of a record that goes beyond the end of the file. A browser that is running, or
    /// was terminated, had not written all of it.
    private(set) var unfinished: Range<Int>?
    /// The offset at which reading stopped because there are too many records.
    private(set) var limitedAt: Int?
    private let bytes: [UInt8]
    /// The number of records that have their form.
    private var fitting = 0

    init(_ bytes: [UInt8], name: String, limits: ImportLimits) throws(StorageError) {
        var reader = ByteReader(bytes[...])
        guard let magic = reader.take(4), Array(magic) == Self.magic else {
            throw SourceFile.failure(.incompatibleFormat, "the file is not a session log")
        }
        guard let version: Int32 = reader.integer() else {
            throw SourceFile.failure(.corrupted, "the header of the session log is incomplete")
        }
        switch version {
        case 1, 3: break
        case 2, 4, 5:
            throw SourceFile.failure(
                .unsupported,
                "the session log is encrypted (version \(version)); its key is in the system's "
                    + "key store, so only the browser can read it")
        default:
            throw SourceFile.failure(
                .incompatibleFormat, "version \(version) of the session log is not known")
        }
        let isNamedTabs = name.lowercased().contains("tabs")
        self.init(bytes, version, from: reader.position, as: isNamedTabs ? .tabs : .session, limits)
        // If everything that was read is of this kind, the other kind cannot fit better.
        let isCertain = !records.isEmpty && gaps.isEmpty && fitting == records.count
        guard !isCertain else { return }
        let other = Self(
            bytes, version, from: reader.position, as: isNamedTabs ? .session : .tabs, limits)
        if other.fitting > fitting { self = other }
    }

    /// Whether the initial state of the file is complete.
    var hasMarker: Bool { records.contains(where: \.isMarker) }

    // MARK: - From record to record, and past damage to where records have their form again

    /// The number of consecutive records that must have their form to rule out chance.
    private static let chainLength = 3
    /// The number of records after one without its form that must have theirs, and the number that
    /// are checked. Records of a newer browser may be unknown.
    private static let followers = (fitting: 2, of: 8)

    private init(
        _ bytes: [UInt8], _ version: Int32, from start: Int, as kind: SNSSKind,
        _ limits: ImportLimits
    ) {
        (self.bytes, self.version, self.kind) = (bytes, version, kind)
        var position = start
        while position < bytes.count {
            guard records.count < limits.maximumParts else {
                limitedAt = position
                return
            }
            let record = record(at: position)
            let isFitting = record.map { SNSSForms.fits($0, in: kind) } ?? false
            if let record, isFitting || isWhole(record) {
                records.append(record)
                fitting += isFitting ? 1 : 0
                position = record.end
            } else if let next = firstChain(in: position + 1..<bytes.count) {
                gaps.append(position..<next)
                position = next
            } else {
                let rest = position..<bytes.count
                let isCut = record == nil && rest.count <= Int(UInt16.max) + 2
                if isCut { unfinished = rest } else { gaps.append(rest) }
                return
            }
        }
    }

    /// Returns the record; `nil` if the size is 0 or goes beyond the end.
    private func record(at position: Int) -> Record? {
        guard bytes.count - position >= 3 else { return nil }
        let size = Int(bytes[position]) | Int(bytes[position + 1]) << 8
        guard size > 0, size <= bytes.count - position - 2 else { return nil }
        return Record(
            command: bytes[position + 2], payload: bytes[(position + 3)..<(position + 2 + size)],
            offset: position)
    }

    /// Returns whether a record without its form has its true size: it contains no other records,
    /// and what follows leads to the end of the file or to records that have their form.
    private func isWhole(_ record: Record) -> Bool {
        guard firstChain(in: record.offset + 1..<record.end) == nil else { return false }
        var position = record.end
        var fitting = 0
        for _ in 0..<Self.followers.of {
            if position == bytes.count { return true }
            guard let next = self.record(at: position) else { return false }
            if SNSSForms.fits(next, in: kind) { fitting += 1 }
            if fitting == Self.followers.fitting { return true }
            position = next.end
        }
        return false
    }

    /// Returns where records with their form begin, several in a row or up to the end of the file.
    private func firstChain(in places: Range<Int>) -> Int? { places.first { isChain(at: $0) } }

    private func isChain(at start: Int) -> Bool {
        var position = start
        for _ in 0..<Self.chainLength {
            guard let record = record(at: position), SNSSForms.fits(record, in: kind) else {
                return false
            }
            position = record.end
            if position == bytes.count { return true }
        }
        return true
    }
}

/// A reader of the values of a Chromium pickle: 4-byte steps, with texts after their lengths.
struct PickleReader {
    private var reader: ByteReader

    /// Creates a reader; `nil` if the payload does not begin with its own size.
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

    /// Reads a text of 16-bit units.
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

    /// Reads a 128-bit token, high half first.
    mutating func token() -> NodeID? {
        guard let high = int64(), let low = int64() else { return nil }
        return NodeID(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    }
}
