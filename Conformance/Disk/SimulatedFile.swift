/// A file between a process and a medium: what the process reads, what the last sync left on the
/// medium, and what may have reached it since.
///
/// A page reaches the medium with the bytes that it has in the cache at that moment, so a page may
/// hold any of its contents since the last sync.
struct SimulatedFile: Sendable {
    static let pageSize = 4096
    static let sectorSize = 512

    /// What the process reads.
    private(set) var cached: [UInt8] = []
    /// What is certain to be on the medium.
    private(set) var durable: [UInt8] = []
    /// What is not certain, before and after each time that the file became shorter: a file system
    /// records that in its journal, and frees the pages behind the end with it.
    private(set) var stages = [Stage()]
    /// Whether all its writes are observed.
    var isFollowed = true
    /// Pages that a failed sync left behind: they count as written in the cache, but are not.
    private var lost: Set<Int> = []

    /// The content of a page after a write.
    struct Version: Sendable {
        var bytes: [UInt8]
        /// The bytes that were written, relative to the page.
        var written: Range<Int>
    }

    struct Stage: Sendable {
        /// How much of the durable content is still there.
        var durableBytes = Int.max
        /// The contents of each page written since, oldest first.
        var pages: [Int: [Version]] = [:]
        /// The lengths of the file since, oldest first.
        var lengths: [Length] = []
    }

    struct Length: Hashable, Sendable {
        var bytes: Int
        /// The number of name changes of the disk before.
        var names: Int
    }

    /// Whether nothing is uncertain.
    var isFlushed: Bool {
        stages.count == 1 && stages[0].pages.isEmpty && stages[0].lengths.isEmpty
    }

    /// Whether the length differs from what the last sync left.
    var hasNewLength: Bool { stages.count > 1 || !stages[0].lengths.isEmpty }

    /// - Parameter names: the number of name changes of the disk so far.
    mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int, names: Int) {
        let end = offset + bytes.count
        cached.lengthen(to: end)
        cached.replace(at: offset, with: bytes)
        notePages(offset..<end)
        let stage = stages[stages.count - 1]
        if cached.count != stage.lengths.last?.bytes ?? min(durable.count, stage.durableBytes) {
            stages[stages.count - 1].lengths.append(Length(bytes: cached.count, names: names))
        }
    }

    mutating func setLength(_ length: Int, names: Int) {
        if length < cached.count {
            cached.removeLast(cached.count - length)
            var next = stages[stages.count - 1]
            next.durableBytes = min(next.durableBytes, length)
            next.pages = next.pages.filter { $0.key * Self.pageSize < length }
            next.lengths = [Length(bytes: length, names: names)]
            stages.append(next)
            // The rest of the last page becomes zeros.
            if !length.isMultiple(of: Self.pageSize) {
                notePages(length - 1..<length, isWrite: false)
            }
        } else if length > cached.count {
            cached.lengthen(to: length)
            stages[stages.count - 1].lengths.append(Length(bytes: length, names: names))
        }
    }

    private mutating func notePages(_ range: Range<Int>, isWrite: Bool = true) {
        guard !range.isEmpty else { return }
        for page in range.lowerBound / Self.pageSize...(range.upperBound - 1) / Self.pageSize {
            let start = page * Self.pageSize
            let end = min(start + Self.pageSize, cached.count)
            let written = isWrite ? range.clamped(to: start..<end) : start..<start
            stages[stages.count - 1].pages[page, default: []].append(
                Version(
                    bytes: Array(cached[start..<end]),
                    written: written.lowerBound - start..<written.upperBound - start))
            // The next write covers the whole page, with what was lost.
            lost.remove(page)
        }
    }

    /// Applies a sync.
    mutating func flush() {
        let before = durable.prefix(stages[stages.count - 1].durableBytes)
        durable = cached
        for page in lost where page * Self.pageSize < durable.count {
            let range = page * Self.pageSize..<min((page + 1) * Self.pageSize, durable.count)
            durable.replace(
                at: range.lowerBound, with: [UInt8](repeating: 0, count: range.count)[...])
            durable.replace(at: range.lowerBound, with: before[range.clamped(to: before.indices)])
        }
        stages = [Stage()]
    }

    /// Applies a sync of a range: its pages become certain, and the length as far as they reach.
    mutating func flush(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        var last = stages[stages.count - 1]
        durable = Array(durable.prefix(last.durableBytes))
        last.durableBytes = .max
        for page in range.lowerBound / Self.pageSize...(range.upperBound - 1) / Self.pageSize {
            let start = page * Self.pageSize
            let end = min(start + Self.pageSize, cached.count)
            durable.lengthen(to: end)
            durable.replace(at: start, with: cached[start..<end])
            last.pages[page] = nil
        }
        last.lengths.removeAll { $0.bytes <= durable.count }
        stages = [last]
    }

    /// Applies a failed sync, as in ext4, XFS, and Btrfs (Rebello et al., ATC 2020).
    mutating func lose() {
        for stage in stages { lost.formUnion(stage.pages.keys) }
        var last = Stage()
        last.durableBytes = stages[stages.count - 1].durableBytes
        last.lengths = stages.flatMap(\.lengths).suffix(1)
        stages = [last]
    }
}

extension SimulatedFile {
    /// Returns the file as in a journal that ends after the first name changes: later changes of
    /// its length are missing.
    func ending(atNames names: Int) -> SimulatedFile {
        var file = self
        if let end = stages.indices.dropFirst()
            .first(where: { (stages[$0].lengths.first?.names ?? 0) > names })
        {
            file.stages.removeSubrange(end...)
        }
        for index in file.stages.indices {
            file.stages[index].lengths.removeAll { $0.names > names }
        }
        return file
    }
}

/// Works in one piece: a copy byte by byte takes long in debug builds.
extension [UInt8] {
    /// Appends zeros if the content is shorter.
    mutating func lengthen(to length: Int) {
        if count < length { self += [UInt8](repeating: 0, count: length - count) }
    }

    /// Replaces as many bytes at an offset.
    mutating func replace(at offset: Int, with bytes: ArraySlice<UInt8>) {
        withUnsafeMutableBytes { target in
            bytes.withUnsafeBytes { source in
                let part = UnsafeMutableRawBufferPointer(
                    rebasing: target[offset..<offset + source.count])
                part.copyMemory(from: source)
            }
        }
    }
}
