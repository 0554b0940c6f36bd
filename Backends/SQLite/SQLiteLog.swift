internal import BrowserSessions
internal import StorageEngines

/// Reads a write-ahead log, `sessions.db-wal`, as SQLite does, and beyond the place where SQLite
/// stops.
///
///     file   = magic:u32 version:u32 pageSize:u32 run:u32 salt:u64 checksum:u64 frame*
///     frame  = page:u32 databasePages:u32 salt:u64 checksum:u64 image
///
/// Big-endian. A frame that tells the number of database pages ends a commit. Each checksum
/// continues the one before it, so SQLite takes the first wrong one for the end. Continuing the
/// checksum that *stands* in the frame before tells which frames behind it are sound.
///
/// Behind the last frame there may be frames of an earlier run, and zeros of ``SQLiteLogSpace``.
struct SQLiteLog {
    /// A page in the log.
    struct Frame {
        var page: Int
        /// Where the image begins in the file.
        var offset: Int
        var endsCommit: Bool
        /// Whether it continues the frame before it.
        var isSound: Bool
        /// Whether it is not left over from an earlier run of the log.
        var isCurrent: Bool
        fileprivate var salt: SQLiteLogChain.Pair
    }

    static let headerSize = 32
    static let frameHeaderSize = 24
    static let frameSize = frameHeaderSize + SQLiteFormat.pageSize

    /// The bytes of a log of so many frames.
    static func size(of frames: Int) -> Int { headerSize + frames * frameSize }

    private(set) var frames: [Frame] = []
    /// What stands behind them, the last first.
    private var leftovers: [Frame] = []
    /// How many frames SQLite takes: up to the last commit in front of the first break.
    private(set) var committedCount = 0

    /// Whether frames are where SQLite cannot have written them: a part of the file was inserted or is
    /// missing.
    private(set) var isDisplaced = false
    /// What is wrong with the file as a whole: SQLite would take another log for it than what was written.
    private(set) var loss: String?
    /// The size of the file without what was never written to at its end.
    private var end = 0
    /// The number of the run, if the header is sound.
    private var run: UInt32?

    /// - Parameter database: the file that the log was brought into, if it is there.
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
        // The bit that tells the order may be damaged.
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
            // A frame that is not whole, at its place, is the end of a write.
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
            // Of a hole one frame is enough.
            if frame.page == 0, let next = try file.nextWritten(from: offset), next > offset {
                offset += (next - offset) / Self.frameSize * Self.frameSize
            }
        }
    }

    /// Where the salt stands next.
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

    /// Where eight bytes stand first, which are given as a big-endian number. One step for each byte:
    /// a log of megabytes is searched at each opening after a kill.
    private static func place(of wanted: UInt64, in bytes: [UInt8]) -> Int? {
        var window: UInt64 = 0
        for index in 0..<bytes.count {
            window = window << 8 | UInt64(bytes[index])
            if window == wanted, index >= 7 { return index - 7 }
        }
        return nil
    }

    /// The salt of the run before the header's, if not all of it is in the database.
    ///
    /// A log begins again only when all of it was brought into the database and synced. So of what still
    /// stands in the log the latest image of a page is in the database, as long as no commit followed. A disk
    /// that acknowledged that sync and forgot the bytes is found out here.
    private func runThatWasLost(
        _ run: SQLiteLogChain.Pair, _ file: any OpenFile, _ database: (any OpenFile)?
    ) throws(StorageError) -> SQLiteLogChain.Pair? {
        guard committedCount == 0, let database else { return nil }
        let rest = leftovers.reversed().drop { $0.salt != (run.0 &- 1, $0.salt.1) }
        guard let salt = rest.first?.salt else { return nil }
        // The one before the first is not known.
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

    /// Where the image stands behind the last frame of this run: what destroyed the end of that frame may
    /// have destroyed the header between them. `nil` if the header is one of an earlier run.
    var nextImage: Int? {
        let header = frames.last.map { $0.offset + SQLiteFormat.pageSize } ?? Self.headerSize
        let offset = header + Self.frameHeaderSize
        guard let run else { return nil }
        if let next = leftovers.last, next.offset == offset, 1...0xFFFF ~= run &- next.salt.0 {
            return nil
        }
        return offset
    }

    /// Frames that SQLite leaves out, sound or not, of commits behind which another one had begun.
    ///
    /// Of a header that was being written any byte may be old. So that a frame ends a commit is believed only
    /// with what the next one says: it continues the frame, or begins again at a lower page. Within a commit
    /// pages come in their order.
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

/// What belongs together in a log: each frame continues the sum of the one before it.
struct SQLiteLogChain {
    typealias Pair = (UInt32, UInt32)

    /// What the file begins with; the last bit tells the byte order of the checksums.
    private static let magic: UInt32 = 0x377F_0682
    /// The only one that there is.
    private static let version: UInt32 = 3_007_000

    private let sum: SQLiteLogChecksum
    private var stored: Pair
    /// Whether a header that is sound is one of ours: SQLite would take frames of other sizes too.
    let isOurs: Bool
    /// Whether everything was sound until now.
    var isUnbroken: Bool
    /// With a damaged header, the first frame must tell what belongs together.
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

    /// Takes the frames of another run than the header's for those that count.
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
        // An earlier run has another salt in both halves, a damaged salt only in one.
        let isCurrent =
            !isBlank && own == expected
            || isSound && (own.0 == expected.0 || own.1 == expected.1)
        return (isSound, isCurrent)
    }
}

extension [UInt8] {
    fileprivate func bigEndian(at place: Int) -> UInt32 {
        self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    fileprivate func pair(at place: Int) -> (UInt32, UInt32) {
        (bigEndian(at: place), bigEndian(at: place + 4))
    }
}
