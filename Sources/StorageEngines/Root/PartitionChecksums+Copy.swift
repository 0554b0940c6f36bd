import BrowserSessions

extension PartitionChecksums {
    /// Copies the files of a directory with their noted lengths, block by block. Corrects a block
    /// in which one byte changed. Writes zeros for a block that cannot be corrected and for a part
    /// that was cut off: empty pages, not wrong ones. Omits missing files. Returns notes.
    func copy(_ name: String, to other: String, in parent: any FileDirectory) throws(StorageError)
        -> [String]
    {
        try parent.makeDirectory(other)
        let (source, target) = (try parent.directory(name), try parent.directory(other))
        var left = Dictionary(files.map { ($0.path, $0) }) { $1 }
        var notes: [String] = []
        try Self.visit(source) { file, path throws(StorageError) in
            guard let noted = left.removeValue(forKey: path) else {
                return notes.append("'\(path)' was left out: it was not there when it was closed")
            }
            let parts = path.split(separator: "/").map(String.init)
            var directory = target
            for part in parts.dropLast() {
                try directory.makeDirectory(part)
                directory = try directory.directory(part)
            }
            let name = parts.last ?? path
            _ = try directory.open(name, mode: .new)
            notes += try noted.copy(file, to: try directory.open(name, mode: .append))
        }
        return notes + left.keys.sorted().map { "'\($0)' is gone" }
    }
}

extension PartitionChecksums.File {
    fileprivate func copy(_ file: any OpenFile, to copy: any OpenFile) throws(StorageError)
        -> [String]
    {
        var (putRight, lost) = (0, 0)
        let blocks = blocks
        for (block, noted) in blocks.enumerated() {
            let range = range(of: block)
            var bytes = try file.read(range.count, at: range.lowerBound)
            let found = CRC32C.checksum(bytes)
            if bytes.count != range.count || found != noted {
                if bytes.count == range.count,
                    let change = CRC32C.changedByte(among: bytes.count, from: noted, to: found)
                {
                    bytes[change.place] ^= change.bits
                    putRight += 1
                } else {
                    // Lost blocks take no space.
                    try copy.truncate(to: range.upperBound)
                    lost += 1
                    continue
                }
            }
            try copy.write(bytes)
        }
        guard putRight + lost > 0 else { return [] }
        return [
            "of \(blocks.count) blocks of '\(path)' \(putRight) were put right, \(lost) are lost"
        ]
    }
}
