internal import BrowserSessions
internal import StorageEngines

/// Checks the blocks of tables before LevelDB does: LevelDB stops the process over a key that is
/// too short in a block with a correct checksum.
///
/// This takes as long as reading all tables. So the file `checked` names the tables that were
/// checked, or that this process wrote; a change of a table changes its stamp. The file needs no
/// checksum and no sync: a damaged line names no table.
struct LevelDBCheckedTables {
    private static let fileName = "checked"
    private static let greatestSize = 1 << 20

    private let directory: any FileDirectory
    private var known: Set<String> = []

    init(in directory: any FileDirectory) {
        self.directory = directory
        guard let file = try? directory.open(Self.fileName, mode: .read),
            let bytes = try? file.read(Self.greatestSize, at: 0)
        else { return }
        known = Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    /// Throws if a table has damage that its checksums do not show.
    ///
    /// - Parameter sequence: the greatest sequence number that the manifest knows.
    func check(_ tables: [LevelDBManifest.Table], upTo sequence: StoredNumber) throws(StorageError)
    {
        for table in tables {
            let file = try directory.open(table.name, mode: .read)
            guard table.size.index <= directory.greatestSize(of: table.name) else {
                throw LevelDBErrors.corrupted("almost nothing of \(table.name) was ever written")
            }
            let frame = try LevelDBTableFrame(checking: file, table.size.index, table.name)
            if let line = line(of: table), known.contains(line) { continue }
            guard try isSound(table, frame.blocks, in: file, upTo: sequence) else {
                throw LevelDBErrors.corrupted("the keys of \(table.name) are damaged")
            }
        }
    }

    /// Returns whether the keys of all blocks are in order, and between those that the manifest
    /// names.
    private func isSound(
        _ table: LevelDBManifest.Table, _ blocks: [LevelDBBlock.Place], in file: any OpenFile,
        upTo sequence: StoredNumber
    ) throws(StorageError) -> Bool {
        var last: LevelDBKey?
        for place in blocks {
            let bytes = try file.read(place.end - place.offset, at: place.offset)
            // LevelDB itself finds a wrong checksum.
            guard let block = LevelDBBlock(.init(offset: 0, size: place.size), in: bytes) else {
                continue
            }
            if last == nil { last = table.smallest.before }
            guard block.isSound(after: &last, upTo: sequence.value) else { return false }
        }
        return last.map { $0 <= table.largest } ?? true
    }

    /// Notes that the tables are sound. On a full disk that fails, and they are checked again.
    func note(_ tables: [LevelDBManifest.Table]) {
        let lines = tables.compactMap(line)
        guard Set(lines) != known else { return }
        let text = lines.sorted().map { $0 + "\n" }.joined()
        try? directory.removeEntry(Self.fileName)
        try? directory.open(Self.fileName, mode: .new).write([UInt8](text.utf8))
    }

    private func line(of table: LevelDBManifest.Table) -> String? {
        let keys = CRC32C.checksum([UInt8](table.smallest.bytes + [0] + table.largest.bytes))
        return LevelDBFileStamp(table.name, in: directory).map {
            "\(table.name) \(table.size) \(keys) \($0.text)"
        }
    }
}
