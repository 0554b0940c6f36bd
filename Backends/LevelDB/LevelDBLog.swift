internal import BrowserSessions
internal import StorageEngines

/// Reads a file in LevelDB's log format: logs of batches, and manifests.
///
///     file     = block*                  each of 32768 bytes, the last one shorter
///     block    = fragment* trailer       the trailer: fewer than 7 zeros
///     fragment = crc32c:u32 length:u16 type:u8 data      little-endian; crc of type and data
///     type     = 1 whole record | 2 first | 3 middle | 4 last fragment of a record
struct LevelDBLog {
    /// The items of the file, in order.
    enum Item {
        case record(offset: Int, [UInt8])
        /// From here on, bytes are not part of an undamaged record.
        ///
        /// - Parameter beginning: the first fragment of the incomplete record, if it is undamaged.
        case gap(offset: Int, beginning: ArraySlice<UInt8>?)

        var offset: Int {
            switch self {
            case .record(let offset, _), .gap(let offset, _): offset
            }
        }
    }

    static let blockSize = 32768
    private static let headerSize = 7

    let items: [Item]
    /// Records of full length with a damaged part; each is a gap as well.
    let doubtful: [[UInt8]]
    /// How many bytes were checksummed.
    let work: Int

    init(_ bytes: [UInt8]) {
        var reader = Reader()
        bytes.withUnsafeBytes { reader.read($0) }
        items = reader.items
        doubtful = reader.doubtful
        work = reader.work
    }

    private struct Reader {
        var items: [Item] = []
        var doubtful: [[UInt8]] = []
        private(set) var work = 0

        private struct Pending {
            var offset: Int
            var data: [UInt8]
            var isSound: Bool
            /// The size of its first fragment, if that is sound.
            var soundBeginning: Int?

            var gap: Item {
                .gap(offset: offset, beginning: soundBeginning.map { data[..<$0] })
            }
        }

        /// The record that still lacks its last fragment.
        private var pending: Pending?
        /// The checksums of the block in which a record is searched for, and its offset.
        private var checksums: (start: Int, LevelDBRangeChecksums)?

        mutating func read(_ file: UnsafeRawBufferPointer) {
            var offset = 0
            while offset < file.count {
                let rest = LevelDBLog.blockSize - offset % LevelDBLog.blockSize
                if rest < LevelDBLog.headerSize {
                    offset += rest
                } else if let size = fragmentSize(file, offset, rest) {
                    add(file, offset, size)
                    offset += LevelDBLog.headerSize + size
                } else {
                    let next = nextFragment(file, after: offset, offset + rest)
                    let size = min(next, file.count) - offset - LevelDBLog.headerSize
                    if size == claimedSize(file, offset) {
                        add(file, offset, size, isSound: false)
                    } else {
                        drop(at: offset)
                    }
                    offset = next
                }
            }
            if let pending { items.append(pending.gap) }
        }

        private mutating func add(
            _ file: UnsafeRawBufferPointer, _ offset: Int, _ size: Int, isSound: Bool = true
        ) {
            let start = offset + LevelDBLog.headerSize
            let data = file[start..<start + size]
            let type = file[offset + 6]
            if type == 1 || type == 2 {
                if let pending { items.append(pending.gap) }
                pending = Pending(
                    offset: offset, data: [UInt8](data), isSound: isSound,
                    soundBeginning: isSound ? size : nil)
            } else if let whole = pending {
                pending?.data.append(contentsOf: data)
                pending?.isSound = whole.isSound && isSound
            } else {
                return drop(at: offset)
            }
            if type == 1 || type == 4, let whole = pending {
                if whole.isSound {
                    items.append(.record(offset: whole.offset, whole.data))
                } else {
                    items.append(whole.gap)
                    doubtful.append(whole.data)
                }
                pending = nil
            }
        }

        private mutating func drop(at offset: Int) {
            items.append(pending?.gap ?? .gap(offset: offset, beginning: nil))
            pending = nil
        }

        /// Returns the size that a fragment says its data has; `nil` if its type is not a
        /// fragment's.
        private func claimedSize(_ file: UnsafeRawBufferPointer, _ offset: Int) -> Int? {
            guard offset + LevelDBLog.headerSize <= file.count, 1...4 ~= file[offset + 6] else {
                return nil
            }
            return Int(file[offset + 4]) | Int(file[offset + 5]) << 8
        }

        /// Returns the range that a fragment's checksum covers, by its own size: its type and its
        /// data. Returns `nil` if that does not fit into the `rest` of its block.
        private func checkedRange(
            _ file: UnsafeRawBufferPointer, _ offset: Int, _ rest: Int
        ) -> Range<Int>? {
            guard let size = claimedSize(file, offset), LevelDBLog.headerSize + size <= rest,
                offset + LevelDBLog.headerSize + size <= file.count
            else { return nil }
            return offset + 6..<offset + LevelDBLog.headerSize + size
        }

        private func isStored(
            _ checksum: UInt32, in file: UnsafeRawBufferPointer, at offset: Int
        ) -> Bool {
            let stored = file.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return CRC32C.masked(checksum) == UInt32(littleEndian: stored)
        }

        /// Returns the size of the data of an undamaged fragment at an offset, with `rest` bytes
        /// left in its block.
        private mutating func fragmentSize(
            _ file: UnsafeRawBufferPointer, _ offset: Int, _ rest: Int
        ) -> Int? {
            guard let range = checkedRange(file, offset, rest) else { return nil }
            work += range.count
            let checksum = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: file[range]))
            return isStored(checksum, in: file, at: offset) ? range.count - 1 : nil
        }

        /// Returns the next undamaged fragment in the block that ends at `end`, or the next block:
        /// a damaged length does not cost the rest of its block.
        private mutating func nextFragment(
            _ file: UnsafeRawBufferPointer, after offset: Int, _ end: Int
        ) -> Int {
            let start = end - LevelDBLog.blockSize
            let checksums = checksums(file, of: start)
            for next in offset + 1..<end where next + LevelDBLog.headerSize <= file.count {
                guard let range = checkedRange(file, next, end - next) else { continue }
                let part = range.lowerBound - start..<range.upperBound - start
                if isStored(checksums.checksum(of: part), in: file, at: next) { return next }
            }
            return end
        }

        private mutating func checksums(_ file: UnsafeRawBufferPointer, of start: Int)
            -> LevelDBRangeChecksums
        {
            if let (known, checksums) = checksums, known == start { return checksums }
            let end = min(start + LevelDBLog.blockSize, file.count)
            let new = LevelDBRangeChecksums(UnsafeRawBufferPointer(rebasing: file[start..<end]))
            work += end - start
            checksums = (start, new)
            return new
        }
    }
}
