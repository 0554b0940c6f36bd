import BrowserSessions

/// The length of each file of a partition when it was closed, and a checksum of each block.
struct PartitionChecksums: Equatable {
    /// A file as it was.
    struct File: Equatable {
        /// The path below the partition's directory: `db/CURRENT`.
        var path: String
        var length: Int
        /// The checksum of each block in four bytes; the last block may be shorter than the others.
        var checksums: [UInt8] = []
        var blocks: [UInt32] {
            checksums.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count / 4 * 4, by: 4).map {
                    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
                }
            }
        }

        /// Returns the byte range of a block.
        func range(of block: Int) -> Range<Int> {
            let start = block * blockSize
            return start..<min(start + blockSize, length)
        }
    }

    /// The page size of libraries that map files, or a divisor of it.
    static let blockSize = 4096
    /// Ascending by path.
    var files: [File] = []

    /// Reads all files of a directory and makes them durable: what is noted must also exist after a
    /// power cut.
    init(of directory: any FileDirectory) throws(StorageError) {
        try Self.visit(directory, syncing: true) { file, path throws(StorageError) in
            try file.syncData()
            files.append(try File(path, file))
        }
    }

    /// Visits all files below a directory, by their paths relative to it.
    ///
    /// - Parameter syncing: whether their names are made durable.
    static func visit(
        _ directory: any FileDirectory, below path: String = "", syncing: Bool = false,
        _ body: (_ file: any OpenFile, _ path: String) throws(StorageError) -> Void
    ) throws(StorageError) {
        for name in try directory.names() {
            switch try directory.status(of: name)?.kind {
            case .file: try body(try directory.open(name, mode: .read), path + name)
            case .directory:
                let inner = try directory.directory(name)
                try visit(inner, below: "\(path)\(name)/", syncing: syncing, body)
            case .link, .other, nil: continue
            }
        }
        if syncing { try directory.sync() }
    }

    /// Returns the first difference, with its file and block; `nil` if nothing changed.
    func damage(of directory: any FileDirectory) throws(StorageError) -> String? {
        var noted = Dictionary(files.map { ($0.path, $0) }) { $1 }
        var damage: String?
        try Self.visit(directory) { file, path throws(StorageError) in
            guard damage == nil else { return }
            if let known = noted.removeValue(forKey: path) {
                damage = try known.damage(of: file)
            } else {
                damage = "'\(path)' was not there when it was closed"
            }
        }
        return damage ?? noted.keys.min().map { "'\($0)' is gone" }
    }
}

extension PartitionChecksums.File {
    /// Reads a megabyte at a time.
    init(_ path: String, _ file: any OpenFile) throws(StorageError) {
        self.init(path: path, length: 0)
        while case let piece = try file.read(1 << 20, at: length), !piece.isEmpty {
            length += piece.count
            checksums += Self.checksums(of: piece)
        }
    }

    /// Returns the difference from the file as it was; `nil` if there is none.
    fileprivate func damage(of file: any OpenFile) throws(StorageError) -> String? {
        let size = try file.size()
        guard size == length else { return "'\(path)' has \(size) bytes and had \(length)" }
        var offset = 0
        while case let piece = try file.read(1 << 20, at: offset), !piece.isEmpty {
            let first = offset / PartitionChecksums.blockSize
            let found = Self.checksums(of: piece)
            for index in 0..<found.count / 4 {
                let noted = checksums.dropFirst(4 * (first + index)).prefix(4)
                guard noted == found[4 * index..<4 * index + 4]
                else { return "block \(first + index) of '\(path)' is not as it was" }
            }
            offset += piece.count
        }
        return offset == length ? nil : "'\(path)' cannot be read to its end"
    }

    private static func checksums(of bytes: [UInt8]) -> [UInt8] {
        var sums: [UInt8] = []
        bytes.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: PartitionChecksums.blockSize) {
                let end = min(start + PartitionChecksums.blockSize, bytes.count)
                let sum = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                withUnsafeBytes(of: sum.littleEndian) { sums.append(contentsOf: $0) }
            }
        }
        return sums
    }
}
