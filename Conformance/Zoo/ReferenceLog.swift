import BrowserSessions
import StorageEngines

/// The file of ``ReferenceEngine``: frames of one batch each.
///
/// ```text
/// frame     := "BSR1" length:u32 crc32c:u32 certain:u32 operation*        (little-endian)
/// operation := space:u8 isPut:u8 keyLength:u32 key [valueLength:u32 value]
/// ```
///
/// `certain` is the number of bytes of the file that were synced when the frame was written. A
/// gap before that is damage; one after it is what a power cut leaves, and the log ends there.
struct ReferenceLog {
    private static let magic: [UInt8] = Array("BSR1".utf8)
    private static let headerLength = 16

    /// The batches up to the first frame that is not sound.
    private(set) var batches: [[ByteBatch.Operation]] = []
    /// All frames, including those after damage. Of frames that have their length but are not sound
    /// only the puts: most of the content is as it was written, and every record has its own
    /// checksum.
    private var frames: [(operations: [ByteBatch.Operation], isSound: Bool)] = []
    /// The length of the ``batches``.
    private(set) var soundBytes = 0
    private(set) var unfinishedBytes = 0
    /// The number of bytes that were certain when the last sound frame was written.
    private var certainBytes = 0
    /// Whether a frame that was certain is not sound.
    var isDamaged: Bool { certainBytes > soundBytes }
    private let size: Int

    static func file(in directory: String) -> String { "\(directory)/records.log" }

    static func read(_ path: String) throws -> [UInt8] {
        guard try FileSystem.status(path)?.size ?? 0 < 1 << 30 else {
            throw StorageError(.corrupted, "the log is too large")
        }
        let older = older(path)
        return try (FileSystem.exists(older) ? FileSystem.read(older) : []) + FileSystem.read(path)
    }

    /// The file with what was written before, if there are two.
    static func older(_ path: String) -> String { path + ".older" }

    /// - Parameter isChecked: whether to check checksums, without which nothing is certain.
    init(bytes: [UInt8], isChecked: Bool = true) {
        size = bytes.count
        var offset = 0
        var isWhole = true
        while offset < bytes.count {
            guard let (batch, end, certain) = Self.frame(in: bytes, at: offset, isChecked)
            else {
                isWhole = false
                frames.append((Self.puts(in: bytes, at: offset), false))
                offset = Self.nextMagic(in: bytes, from: offset + 1)
                continue
            }
            frames.append((batch, true))
            certainBytes = max(certainBytes, certain)
            if isWhole {
                batches.append(batch)
                soundBytes = end
            }
            offset = end
        }
        unfinishedBytes = bytes.count - soundBytes
    }

    /// All sound batches, including those after damage.
    var soundBatches: [[ByteBatch.Operation]] { frames.filter(\.isSound).map(\.operations) }

    /// Returns what can be read, in the order in which it was written, without what a sound frame
    /// replaces or removes.
    func salvaged() -> [(space: KeySpace, key: [UInt8], value: [UInt8])] {
        var decided: [KeySpace: Set<[UInt8]>] = [:]
        var puts: [(space: KeySpace, key: [UInt8], value: [UInt8])] = []
        for (operations, isSound) in frames.reversed() {
            for operation in operations.reversed() {
                switch operation {
                case .put(let space, let key, let value):
                    guard decided[space]?.contains(key) != true else { continue }
                    puts.append((space, key, value))
                    if isSound { decided[space, default: []].insert(key) }
                case .remove(let space, let key): decided[space, default: []].insert(key)
                }
            }
        }
        return puts.reversed()
    }

    /// Whether most of the log is about records that are gone.
    func isWorthRewriting(_ records: MemoryRecords) -> Bool {
        let live = records.values.joined().reduce(0) { $0 + $1.0.count + $1.1.count }
        return size > 2 * live + (256 << 10)
    }

    static func encode(_ records: MemoryRecords) -> [UInt8] { frame(puts(records)) }

    /// Returns operations that fill an empty store with the records.
    static func puts(_ records: MemoryRecords) -> [ByteBatch.Operation] {
        records.flatMap { space, values in
            values.map { ByteBatch.Operation.put(space, key: $0, value: $1) }
        }
    }

    static func frame(_ operations: [ByteBatch.Operation], certain: Int = 0) -> [UInt8] {
        var body = number(certain)
        for operation in operations {
            switch operation {
            case .put(let space, let key, let value):
                body += [space.rawValue, 1]
                append(key, to: &body)
                append(value, to: &body)
            case .remove(let space, let key):
                body += [space.rawValue, 0]
                append(key, to: &body)
            }
        }
        return magic + number(body.count - 4)
            + number(Int(CRC32C.masked(CRC32C.checksum(body)))) + body
    }

    private static func append(_ bytes: [UInt8], to body: inout [UInt8]) {
        body += number(bytes.count)
        body += bytes
    }

    private static func number(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { Array($0) }
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> Int? {
        guard offset + 4 <= bytes.count else { return nil }
        // As two numbers: without optimization a closure takes most of the time.
        let low = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
        return low | Int(bytes[offset + 2]) << 16 | Int(bytes[offset + 3]) << 24
    }

    private static func nextMagic(in bytes: [UInt8], from start: Int) -> Int {
        var offset = start
        while let next = bytes[min(offset, bytes.count)...].firstIndex(of: magic[0]) {
            if bytes[next...].starts(with: magic) { return next }
            offset = next + 1
        }
        return bytes.count
    }

    /// Returns the batch at an offset and where it ends; `nil` if it is not sound.
    private static func frame(in bytes: [UInt8], at offset: Int, _ isChecked: Bool)
        -> ([ByteBatch.Operation], end: Int, certain: Int)?
    {
        let start = offset + headerLength
        guard start <= bytes.count, bytes[offset..<offset + 4].elementsEqual(magic),
            let length = number(bytes, at: offset + 4), let crc = number(bytes, at: offset + 8),
            let certain = number(bytes, at: offset + 12), start + length <= bytes.count
        else { return nil }
        let body = Array(bytes[start - 4..<start + length])
        guard !isChecked || Int(CRC32C.masked(CRC32C.checksum(body))) == crc else {
            return nil
        }
        return operations(Array(body[4...])).map { ($0, start + length, certain) }
    }

    /// Returns the puts of a frame with a wrong checksum; none if its end is misplaced.
    private static func puts(in bytes: [UInt8], at offset: Int) -> [ByteBatch.Operation] {
        let start = offset + headerLength
        guard start <= bytes.count, bytes[offset..<offset + 4].elementsEqual(magic),
            let length = number(bytes, at: offset + 4), start + length <= bytes.count,
            nextMagic(in: bytes, from: start + length) == start + length,
            let operations = operations(Array(bytes[start..<start + length]))
        else { return [] }
        return operations.filter { if case .put = $0 { true } else { false } }
    }

    private static func operations(_ body: [UInt8]) -> [ByteBatch.Operation]? {
        var operations: [ByteBatch.Operation] = []
        var offset = 0
        func bytes() -> [UInt8]? {
            guard let length = number(body, at: offset), offset + 4 + length <= body.count
            else {
                return nil
            }
            defer { offset += 4 + length }
            return Array(body[offset + 4..<offset + 4 + length])
        }
        while offset < body.count {
            guard offset + 2 <= body.count, let space = KeySpace(rawValue: body[offset]) else {
                return nil
            }
            let isPut = body[offset + 1] == 1
            offset += 2
            guard let key = bytes() else { return nil }
            if isPut {
                guard let value = bytes() else { return nil }
                operations.append(.put(space, key: key, value: value))
            } else {
                operations.append(.remove(space, key: key))
            }
        }
        return operations
    }
}
