internal import BrowserSessions
internal import StorageEngines

/// Reads a write-ahead log, `sessions.db-wal`, as SQLite does, and past the point where SQLite
/// stops.
///
///     file   = magic:u32 version:u32 pageSize:u32 run:u32 salt:u64 checksum:u64 frame*
///     frame  = page:u32 databasePages:u32 salt:u64 checksum:u64 image
///
/// Big-endian. A frame with the number of database pages ends a commit. Each checksum continues the
/// one before it, so SQLite takes the first wrong one for the end. Continuing the checksum that is
/// *stored* in the previous frame shows which later frames are sound.
///
/// After the last frame there may be frames of an earlier run, and zeros of ``SQLiteLogSpace``.
struct SQLiteLog {
    /// A page in the log.
    struct Frame {
        var page: Int
        /// The offset of the image in the file.
        var offset: Int
        var endsCommit: Bool
        /// Whether it continues the frame before it.
        var isSound: Bool
        /// Whether it belongs to the current run of the log, not to an earlier one.
        var isCurrent: Bool
        fileprivate var salt: SQLiteLogChain.Pair
    }

    static let headerSize = 32
    static let frameHeaderSize = 24
    static let frameSize = frameHeaderSize + SQLiteFormat.pageSize

    /// Returns the size in bytes of a log of so many frames.
    static func size(of frames: Int) -> Int { headerSize + frames * frameSize }

    private(set) var frames: [Frame] = []
    /// The frames after them, last first.
    private var leftovers: [Frame] = []
    /// How many frames SQLite uses: up to the last commit before the first break.
    private(set) var committedCount = 0

    /// Whether frames are where SQLite cannot have written them: a part of the file was inserted or
    /// is missing.
    private(set) var isDisplaced = false
    /// The damage of the file as a whole: SQLite would read another log than the one that was
    /// written.
    private(set) var loss: String?
    /// The size of the file without an unwritten end.
    private var end = 0
    /// The number of the run, if the header is sound.
    private var run: UInt32?

    /// - Parameter database: the file that the log was copied into, if it exists.
    init(_ file: any OpenFile, of database: (any OpenFile)?) throws(StorageError) {
        let header = try file.read(Self.headerSize, at: 0)
        guard header.count == Self.headerSize else { return }
        let isBigEndian = header[3] & 1 == 1
        var chain = SQLiteLogChain(header, isBigEndian: isBigEndian)
        let run = chain.salt
        self = try Self(file, chain)
        if !chain.isOurs { loss = "the header of the log is of another kind" }
        if let run {
            let all = frames + leftovers.reversed()
            if let later = all.first(where: { $0.page != 0 && $0.salt.0 == run.0 &+ 1 })?.salt {
                chain.continueRun(later)
                self = try Self(file, chain)
                loss = "the header of the log is older than what stands behind it"
            } else if let earlier = try runThatWasLost(run, file, database) {
                chain.continueRun(earlier)
                self = try Self(file, chain)
                loss = "the database does not hold what was brought into it"
            }
        }
        guard loss == nil, !frames.isEmpty, !frames.contains(where: \.isSound) else { return }
        // The bit for the byte order may be damaged.
        let other = try Self(file, SQLiteLogChain(header, isBigEndian: !isBigEndian))
        if other.frames.contains(where: \.isSound) { self = other }
    }

    private init(_ file: any OpenFile, _ chain: SQLiteLogChain) throws(StorageError) {
        end = try file.writtenSize()
        run = chain.salt?.0
        var chain = chain
        var start = Self.headerSize
        var next = start
        while true {
            try readFrames(of: file, from: start, &chain)
            while let frame = frames.last, !frame.isCurrent {
                if frame.page != 0 { leftovers.append(frame) }
                frames.removeLast()
            }
            next = max(next, frames.last.map { $0.offset + SQLiteFormat.pageSize } ?? start)
            // An incomplete frame at its own offset is the end of a write.
            repeat {
                guard let salt = chain.salt, let place = try find(salt, in: file, from: next)
                else { return }
                next = place + 1
            } while (next - 9 - start).isMultiple(of: Self.frameSize)
            isDisplaced = true
            chain.isUnbroken = false
            start = next - 9
        }
    }

    private mutating func readFrames(
        of file: any OpenFile, from start: Int, _ chain: inout SQLiteLogChain
    ) throws(StorageError) {
        var offset = start
        while offset <= end - Self.frameSize {
            let bytes = try file.read(Self.frameSize, at: offset)
            guard bytes.count == Self.frameSize else { return }
            let (isSound, isCurrent) = chain.take(bytes)
            let frame = Frame(
                page: Int(bytes.bigEndian(at: 0)), offset: offset + Self.frameHeaderSize,
                endsCommit: bytes.bigEndian(at: 4) != 0, isSound: isSound, isCurrent: isCurrent,
                salt: bytes.pair(at: 8))
            frames.append(frame)
            if chain.isUnbroken, frame.endsCommit { committedCount = frames.count }
            offset += Self.frameSize
            // One frame is enough for a hole.
            if frame.page == 0, let next = try file.nextWritten(from: offset), next > offset {
                offset += (next - offset) / Self.frameSize * Self.frameSize
            }
        }
    }

    /// Returns the next offset of the salt.
    private func find(_ salt: SQLiteLogChain.Pair, in file: any OpenFile, from start: Int)
        throws(StorageError) -> Int?
    {
        let wanted = UInt64(salt.0) << 32 | UInt64(salt.1)
        let step = 1 << 20
        var offset = start
        while offset < end {
            guard let written = try file.nextWritten(from: offset) else { return nil }
            // The salt may end where a hole begins or ends.
            offset = max(offset, written - 7)
            let piece = try file.read(step + 7, at: offset)
            guard piece.count >= 8 else { return nil }
            if let found = Self.place(of: wanted, in: piece) { return offset + found }
            offset += step
        }
        return nil
    }

    /// Returns the first offset of eight bytes, which are given as a big-endian number. Takes one
    /// step for each byte: every opening after a kill searches a log of megabytes.
    private static func place(of wanted: UInt64, in bytes: [UInt8]) -> Int? {
        var window: UInt64 = 0
        for index in 0..<bytes.count {
            window = window << 8 | UInt64(bytes[index])
            if window == wanted, index >= 7 { return index - 7 }
        }
        return nil
    }

    /// Returns the salt of the run before the header's, if that run is not completely in the
    /// database.
    ///
    /// A log begins again only when all of it was copied into the database and synced. So the
    /// latest image of each page that is still in the log must be in the database, as long as no
    /// commit followed. This detects a disk that acknowledged that sync and lost the bytes.
    private func runThatWasLost(
        _ run: SQLiteLogChain.Pair, _ file: any OpenFile, _ database: (any OpenFile)?
    ) throws(StorageError) -> SQLiteLogChain.Pair? {
        guard committedCount == 0, let database else { return nil }
        let rest = leftovers.reversed().drop { $0.salt != (run.0 &- 1, $0.salt.1) }
        guard let salt = rest.first?.salt else { return nil }
        // The frame before the first is not known.
        let sound = rest.dropFirst().prefix { $0.isSound && $0.salt == salt }
        // Of a run that goes on behind a break, such as a torn write of the next one, newer images of the
        // same pages may be missing. What stands there is of another run only if its number says so.
        let isBroken = rest.dropFirst(1 + sound.count).contains {
            !(2...0xFFFF).contains(run.0 &- $0.salt.0)
        }
        guard !isBroken, let last = sound.lastIndex(where: \.endsCommit) else { return nil }
        var images: [Int: Int] = [:]
        for frame in sound[...last] { images[frame.page] = frame.offset }
        let size = SQLiteFormat.pageSize
        for (page, offset) in images {
            let isThere =
                try database.read(size, at: (page - 1) * size) == file.read(size, at: offset)
            if !isThere { return salt }
        }
        return nil
    }

    /// Sound frames that SQLite leaves out.
    var stranded: [Frame] { frames[committedCount...].filter { $0.isSound && $0.isCurrent } }

    /// The offset of the image after the last frame of this run. What destroyed the end of that frame
    /// may have destroyed the header between them. `nil` if the header is one of an earlier run.
    var nextImage: Int? {
        let header = frames.last.map { $0.offset + SQLiteFormat.pageSize } ?? Self.headerSize
        let offset = header + Self.frameHeaderSize
        guard let run else { return nil }
        if let next = leftovers.last, next.offset == offset, 1...0xFFFF ~= run &- next.salt.0 {
            return nil
        }
        return offset
    }

    /// Frames that SQLite leaves out, sound or not, of commits after which another one had begun.
    ///
    /// While a header is written, any of its bytes may be old. So a commit's end is believed only
    /// with the next frame's evidence: it continues the frame, or begins again at a lower page.
    /// Within a commit, pages come in order.
    var strandedCommits: [Frame] {
        var (end, highest) = (committedCount, 1)
        for (index, next) in zip(frames.indices, frames.dropFirst()).dropFirst(committedCount) {
            let frame = frames[index]
            if frame.isSound { highest = max(highest, frame.page) }
            let isFollowed = next.isCurrent && (next.isSound || 1...highest ~= next.page)
            if frame.isCurrent, frame.endsCommit, isFollowed { end = index + 1 }
        }
        return frames[committedCount..<end].filter(\.isCurrent)
    }
}

/// The frames of a log that belong together: each continues the checksum of the one before it.
struct SQLiteLogChain {
    typealias Pair = (UInt32, UInt32)

    /// The beginning of the file; the last bit gives the byte order of the checksums.
    private static let magic: UInt32 = 0x377F_0682
    /// The only version that exists.
    private static let version: UInt32 = 3_007_000

    private let sum: SQLiteLogChecksum
    private var stored: Pair
    /// Whether a sound header is one of ours: SQLite would accept frames of other sizes too.
    let isOurs: Bool
    /// Whether everything was sound until now.
    var isUnbroken: Bool
    /// With a damaged header, the first frame must show what belongs together.
    private(set) var salt: Pair?

    init(_ header: [UInt8], isBigEndian: Bool) {
        sum = SQLiteLogChecksum(isBigEndian: isBigEndian)
        stored = header.pair(at: 24)
        // Zeros would have the right checksum.
        isUnbroken =
            header.bigEndian(at: 0) & ~1 == Self.magic
            && sum.continued((0, 0), header[..<24]) == stored
        salt = isUnbroken ? header.pair(at: 16) : nil
        isOurs = !isUnbroken || header.pair(at: 4) == (Self.version, UInt32(SQLiteFormat.pageSize))
    }

    /// Treats the frames of another run than the header's as the current ones.
    mutating func continueRun(_ salt: Pair) {
        self.salt = salt
        isUnbroken = false
    }

    /// Takes the next frame.
    mutating func take(_ bytes: [UInt8]) -> (isSound: Bool, isCurrent: Bool) {
        let header = SQLiteLog.frameHeaderSize
        let isBlank = bytes[..<header].allSatisfy { $0 == 0 }
        let before = stored
        stored = bytes.pair(at: 16)
        let own = bytes.pair(at: 8)
        if salt == nil, !isBlank { salt = own }
        let expected = salt ?? own
        // SQLite ends at a page 0, whatever its checksum.
        let isSound =
            bytes.bigEndian(at: 0) != 0
            && sum.continued(sum.continued(before, bytes[..<8]), bytes[header...]) == stored
        isUnbroken = isUnbroken && isSound && own == expected
        // An earlier run has another salt in both halves, a damaged salt in only one.
        let isCurrent =
            !isBlank && own == expected
            || isSound && (own.0 == expected.0 || own.1 == expected.1)
        return (isSound, isCurrent)
    }
}

extension [UInt8] {
    func bigEndian(at place: Int) -> UInt32 {
        self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    func pair(at place: Int) -> (UInt32, UInt32) {
        (bigEndian(at: place), bigEndian(at: place + 4))
    }
}
