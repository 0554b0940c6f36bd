internal import BrowserSessions
internal import StorageEngines

/// A block of a table: keys and values.
///
///     block   = entry* restart:u32* restarts:u32
///     entry   = shared:varint unshared:varint size:varint key value
///
/// A key leaves out the bytes that it shares with the previous one.
struct LevelDBBlock {
    /// The location of a block in its file, followed by its compression and its checksum.
    struct Place: Equatable {
        private static let trailerSize = 5

        let offset: Int
        let size: Int
        /// The offset of the next block.
        var end: Int { offset + size + Self.trailerSize }

        init(offset: Int, size: Int) {
            self.offset = offset
            self.size = size
        }

        /// Returns `nil` if the bytes are not a location.
        init?(_ cursor: inout LevelDBCursor) {
            guard let offset = cursor.storedNumber(), let size = cursor.storedNumber() else {
                return nil
            }
            self.init(offset: offset.index, size: size.index)
        }
    }

    /// How many bytes of keys may come out of each byte. Keys of a few hundred bytes that share all
    /// but one do not reach it; those of a block that would keep a processor busy do.
    private static let greatestGrowth = 64

    private let bytes: [UInt8]

    /// Reads the block at a location in some bytes.
    ///
    /// - Parameter isTrusted: whether to read it whatever its checksum. If not, returns `nil` for a
    ///   damaged block too.
    init?(_ place: Place, in file: [UInt8], isTrusted: Bool = false) {
        guard place.end <= file.count, isTrusted || Self.isSound(place, file) else { return nil }
        let content = file[place.offset..<place.offset + place.size]
        switch file[place.offset + place.size] {
        case 0: bytes = [UInt8](content)
        case 1:
            guard let plain = LevelDBSnappy.decompress(content) else { return nil }
            bytes = plain
        default:
            guard isTrusted else { return nil }
            bytes = [UInt8](content)
        }
    }

    private static func isSound(_ place: Place, _ file: [UInt8]) -> Bool {
        file.withUnsafeBytes { file in
            let checked = place.offset + place.size + 1
            let content = UnsafeRawBufferPointer(rebasing: file[place.offset..<checked])
            return stored(file, checked) == CRC32C.masked(CRC32C.checksum(content))
        }
    }

    /// Returns the checksum that is stored at an offset.
    static func stored(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Visits the keys and values that can be read. Returns whether everything is as LevelDB writes
    /// it: LevelDB searches for a key by the offsets at the end of a block, and trusts them.
    func visit(
        _ body: (_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) throws -> Void
    ) rethrows -> Bool {
        guard var restarts = Restarts(bytes) else { return false }
        var cursor = LevelDBCursor(bytes[..<restarts.start])
        var key: [UInt8] = []
        var left = Self.greatestGrowth * bytes.count
        while !cursor.isAtEnd {
            let place = cursor.place
            guard let shared = cursor.count(), let unshared = cursor.count(),
                let size = cursor.count(), shared <= key.count,
                let rest = cursor.take(unshared), let value = cursor.take(size)
            else { return false }
            left -= shared
            if left < 0 { return false }
            if shared == 0 { restarts.pass(place) }
            key.removeSubrange(shared...)
            key.append(contentsOf: rest)
            try body(key[...], value)
        }
        return restarts.areAtEnd || bytes[..<restarts.start].isEmpty
    }

    /// Returns whether everything is as LevelDB writes it, with keys in order: LevelDB stops the
    /// process over anything else.
    ///
    /// - Parameters:
    ///   - last: the previous key, if there is one; afterwards the last key.
    ///   - sequence: the greatest sequence number that a key may have.
    func isSound(after last: inout LevelDBKey?, upTo sequence: UInt64 = .max) -> Bool {
        var areKeys = true
        let isWhole = visit { bytes, _ in
            guard let key = LevelDBKey(bytes), key.sequence <= sequence,
                last.map({ $0 < key }) ?? true
            else { return areKeys = false }
            last = key
        }
        return isWhole && areKeys
    }

    /// The values as locations; `nil` if they are not locations.
    var places: [Place]? {
        var places: [Place?] = []
        let isWhole = visit { _, value in
            var cursor = LevelDBCursor(value)
            places.append(Place(&cursor))
        }
        let found = places.compactMap { $0 }
        return isWhole && found.count == places.count ? found : nil
    }

    /// The offsets of entries that share nothing, ascending, at the end of a block.
    private struct Restarts {
        let start: Int
        private var cursor: LevelDBCursor
        private var next: Int?

        init?(_ bytes: [UInt8]) {
            var end = LevelDBCursor(bytes.suffix(4))
            guard let count = end.fixed(UInt32.self), bytes.count >= 4 * (Int(count) + 1) else {
                return nil
            }
            start = bytes.count - 4 * (Int(count) + 1)
            cursor = LevelDBCursor(bytes[start..<bytes.count - 4])
            advance()
        }

        var areAtEnd: Bool { next == nil }

        mutating func pass(_ place: Int) { if next == place { advance() } }

        private mutating func advance() { next = cursor.fixed(UInt32.self).map(Int.init) }
    }
}
