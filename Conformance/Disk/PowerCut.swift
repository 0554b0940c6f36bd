import SessionSamples

/// The part of the unsynced content that a power cut leaves on the medium.
enum PowerCut: Hashable, Sendable, CustomStringConvertible {
    /// Only synced content.
    case nothing
    /// All of it.
    case everything
    /// No cut. A kill leaves what the process reads, including what a failed sync has not written.
    case kill
    /// The names without the contents: files that keep their length but are empty.
    case names
    case contents
    /// Any part. Pages may be torn between sectors, and bytes that were being written may hold
    /// zeros, anything, or a mix of old and new.
    case sample(UInt64)
    /// The pieces with set bits; each piece may be there without any other. See
    /// ``SimulatedDisk/pieces``.
    case subset(UInt64)
    /// Everything, but only the pieces with set bits of one file: the page that a sync would have
    /// written first is missing, and those around it are there.
    case part(of: UInt64, UInt64)

    /// All cuts except samples, subsets, and parts.
    static let plain: [PowerCut] = [.nothing, .kill, .everything, .names, .contents]

    var description: String {
        switch self {
        case .nothing: "nothing unsynced is kept"
        case .everything: "everything is kept"
        case .kill: "the process is killed"
        case .names: "only names and lengths are kept"
        case .contents: "only contents are kept"
        case .sample(let number): "sample \(number) of what was not synced is kept"
        case .subset(let bits):
            "of what was not synced the pieces \(String(bits, radix: 2)) are kept"
        case .part(_, let bits):
            "everything is kept, but of one file only the pieces \(String(bits, radix: 2))"
        }
    }
}

extension SimulatedDisk {
    /// Returns what is on the medium after a power cut now.
    func image(after cut: PowerCut) -> DiskImage {
        var generator = SeededGenerator(seed: cut.seed)
        var tree = durableNames
        let kept = keptNames(cut, &generator)
        for change in kept { tree.apply(change) }
        let journalEnd = model == .ordered ? nameCount - pendingNames.count + kept.count : nameCount
        var image = DiskImage()
        for (path, node, isDirectory) in tree.paths {
            if isDirectory {
                image.directories.append(path)
            } else if let file = files[node]?.ending(atNames: journalEnd) {
                // The remains of one file must not depend on the lengths of others, because some
                // files hold the number of a process.
                generator = SeededGenerator(seed: cut.seed ^ UInt64(node) << 32)
                image.files.append((path, content(of: file, node, after: cut, &generator)))
                if !file.isFollowed { image.unfollowed.insert(path) }
            }
        }
        return image
    }

    private func content(
        of file: SimulatedFile, _ node: Int, after cut: PowerCut,
        _ generator: inout SeededGenerator
    ) -> [UInt8] {
        if case .part(let number, let bits) = cut {
            guard nodes[number] == node else { return file.content(after: .everything, &generator) }
            return file.content(keeping: bits)
        }
        guard case .subset(let bits) = cut else { return file.content(after: cut, &generator) }
        let first = files.reduce(pendingNames.count) {
            $1.key < node ? $0 + ($1.value.pieces ?? 0) : $0
        }
        return file.content(keeping: bits >> UInt64(first))
    }

    /// The number of things that may each be kept or lost independently: changes of names, pages,
    /// and lengths. `nil` if a cut may do more, because a file became shorter and no sync followed.
    ///
    /// Names come first, then files in the order in which they were made. If names keep their
    /// order, the number of set bits is the number of names kept.
    var pieces: Int? {
        files.values.reduce(pendingNames.count) { count, file in
            count.flatMap { count in file.pieces.map { count + $0 } }
        }
    }

    /// Returns the same for the pages and length of one file, by its number in the file system.
    func pieces(of number: UInt64) -> Int? { nodes[number].flatMap { files[$0]?.pieces } }

    private func keptNames(_ cut: PowerCut, _ generator: inout SeededGenerator)
        -> [NameTree.Change]
    {
        switch cut {
        case .nothing, .contents: []
        case .everything, .kill, .names, .part: pendingNames
        case .subset(let bits):
            if model == .ordered {
                Array(pendingNames.prefix(pendingNames.indices.count { bits.has($0) }))
            } else {
                pendingNames.indices.filter { bits.has($0) }.map { pendingNames[$0] }
            }
        case .sample:
            if model == .ordered {
                Array(pendingNames.prefix(generator.integer(in: 0...pendingNames.count)))
            } else {
                pendingNames.filter { _ in generator.integer(in: 0...1) == 1 }
            }
        }
    }
}

extension PowerCut {
    fileprivate var seed: UInt64 {
        if case .sample(let number) = self { number } else { 0 }
    }
}

extension SimulatedFile {
    /// Returns what is on the medium after a power cut.
    func content(after cut: PowerCut, _ generator: inout SeededGenerator) -> [UInt8] {
        let newest = stages[stages.count - 1]
        switch cut {
        case .nothing: return durable
        case .everything: return written
        case .kill: return cached
        case .subset(let bits), .part(_, let bits): return content(keeping: bits)
        case .names: return content(newest, length: newest.lengths.last?.bytes) { _, _ in nil }
        case .contents:
            return content(stages[0], length: durable.count) { _, versions in versions.last?.bytes }
        case .sample:
            let stage = stages[generator.integer(in: 0...stages.count - 1)]
            let lengths =
                [min(durable.count, stage.durableBytes)] + stage.lengths.map(\.bytes)
            let length = lengths[generator.integer(in: 0...lengths.count - 1)]
            return content(stage, length: length) { before, versions in
                Self.sample(before, versions, &generator)
            }
        }
    }

    /// The pages and lengths that may each be kept or lost; `nil` if a length has become shorter.
    fileprivate var pieces: Int? {
        guard stages.count == 1 else { return nil }
        return stages[0].pages.count + (stages[0].lengths.isEmpty ? 0 : 1)
    }

    /// Returns the newest contents of the pages with set bits, in order, and the newest length if
    /// the bit after them is set.
    fileprivate func content(keeping bits: UInt64) -> [UInt8] {
        let pages = stages[0].pages.keys.sorted()
        var stage = stages[0]
        stage.pages = stage.pages.filter { page, _ in
            pages.firstIndex(of: page).map(bits.has) == true
        }
        let length = bits.has(pages.count) ? stage.lengths.last?.bytes : nil
        return content(stage, length: length ?? durable.count) { $1.last?.bytes }
    }

    /// What the process reads, without what a failed sync has lost.
    private var written: [UInt8] {
        var file = self
        file.flush()
        return file.durable
    }

    /// - Parameters:
    ///   - length: the length; `nil` if it did not change.
    ///   - choose: returns the bytes of a page, from its durable part and what it has held since;
    ///     `nil` means the durable part.
    private func content(
        _ stage: Stage, length: Int?,
        _ choose: (_ before: ArraySlice<UInt8>, _ versions: [Version]) -> [UInt8]?
    ) -> [UInt8] {
        let certain = Array(durable.prefix(stage.durableBytes))
        var bytes = certain
        for (page, versions) in stage.pages.sorted(by: { $0.key < $1.key }) {
            let start = page * Self.pageSize
            let end = min(start + Self.pageSize, certain.count)
            let before = start < end ? certain[start..<end] : []
            guard let chosen = choose(before, versions) else { continue }
            bytes.lengthen(to: start + chosen.count)
            bytes.replace(at: start, with: chosen[...])
        }
        let length = length ?? certain.count
        if bytes.count > length { bytes.removeLast(bytes.count - length) }
        bytes.lengthen(to: length)
        return bytes
    }

    /// Returns one of the contents, none, a torn one, or one in which the last write ended as
    /// zeros, as garbage, or byte by byte in any order.
    private static func sample(
        _ before: ArraySlice<UInt8>, _ versions: [Version], _ generator: inout SeededGenerator
    ) -> [UInt8]? {
        guard let newest = versions.last else { return nil }
        switch generator.integer(in: 0...10) {
        case 0...2: return nil
        case 3...5: return newest.bytes
        case 6: return versions[generator.integer(in: 0...versions.count - 1)].bytes
        case 7: return torn(newest.bytes, before, &generator)
        case 8: return spoiled(newest) { _ in 0 }
        case 9:
            let first = before.startIndex
            return spoiled(newest) { index in
                if generator.integer(in: 0...1) == 0 { return newest.bytes[index] }
                return index < before.count ? before[first + index] : 0
            }
        default: return spoiled(newest) { _ in UInt8(truncatingIfNeeded: generator.next()) }
        }
    }

    /// Returns a page with sectors that were written one by one, in any order.
    private static func torn(
        _ bytes: [UInt8], _ before: ArraySlice<UInt8>, _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = bytes
        for start in stride(from: 0, to: bytes.count, by: sectorSize)
        where generator.integer(in: 0...1) == 0 {
            for index in start..<min(start + sectorSize, bytes.count) {
                let old = before.startIndex + index
                bytes[index] = old < before.endIndex ? before[old] : 0
            }
        }
        return bytes
    }

    /// Spoils only bytes that were being written: powersafe overwrite, as SQLite calls it.
    private static func spoiled(_ version: Version, _ byte: (Int) -> UInt8) -> [UInt8] {
        var bytes = version.bytes
        for index in version.written { bytes[index] = byte(index) }
        return bytes
    }
}

extension UInt64 {
    fileprivate func has(_ bit: Int) -> Bool { self >> UInt64(bit) & 1 == 1 }
}
