internal import BrowserSessions
internal import StorageEngines

/// Reads what can be read of a damaged database, page by page and without its trees.
///
/// Pages come from the file and, newer, from the log, including pages after a break, where SQLite
/// does not look. Free pages are empty, since `secure_delete` fills them with zeros.
final class SQLiteSalvage {
    /// A lost file counts as an empty one.
    private let file: (any OpenFile)?
    private let logFile: (any OpenFile)?
    /// The offset of a page's latest image in the log.
    private var images: [Int: Int] = [:]
    /// Pages with a latest image that may be damaged; the one before it is read too.
    private var doubtful: [(page: Int, earlier: Int?)] = []
    private var pageCount: Int
    /// The amount of data in the files, in bytes: no record is larger.
    private let storedBytes: Int
    /// How often a page was read as the continuation of a record. Damage or an older image can lead
    /// to a page once more; loops and chains that share pages lead to it endlessly.
    private var uses: [Int: Int] = [:]
    private static let mostUses = 4
    private var notes: [String] = []
    private var unreadable = 0

    init(_ directory: any FileDirectory) throws {
        func open(_ name: String) throws(StorageError) -> (any OpenFile)? {
            try directory.has(name) ? try directory.open(name, mode: .read) : nil
        }
        file = try open(SQLiteFormat.fileName)
        logFile = try open(SQLiteFormat.logName)
        let (pages, rest) = (try file?.writtenSize() ?? 0)
            .quotientAndRemainder(dividingBy: SQLiteFormat.pageSize)
        pageCount = rest == 0 ? pages : pages + 1
        storedBytes = (try file?.writtenBytes() ?? 0) + (try logFile?.writtenBytes() ?? 0)
        if let logFile { applyFrames(of: try SQLiteLog(logFile, of: file)) }
    }

    private func applyFrames(of log: SQLiteLog) {
        // Without the header, nothing shows whether the first frame of a run is sound.
        let last = log.frames.lastIndex {
            ($0.isSound || log.loss != nil) && $0.isCurrent && $0.endsCommit
        }
        let end = last.map { $0 + 1 } ?? 0
        let sizeLimit = pageCount + log.frames.count
        for frame in log.frames[..<max(end, log.committedCount)]
        where frame.isCurrent && 1...sizeLimit ~= frame.page {
            if !frame.isSound { doubtful.append((frame.page, images[frame.page])) }
            images[frame.page] = frame.offset
            pageCount = max(pageCount, frame.page)
        }
        let stranded = log.stranded.count { $0.endsCommit }
        if stranded > 0 {
            notes.append("\(stranded) commits were read from behind a break in the log")
        }
        if !doubtful.isEmpty {
            notes.append("removed records may be among those of \(doubtful.count) damaged pages")
        }
    }

    func run(_ visit: RecordVisitor) throws -> [String] {
        // Before the later images: of two versions from one change set the last one counts.
        for (page, earlier) in doubtful {
            let image = try earlier.map(logImage) ?? fileImage(of: page)
            try visitRecords(of: image, page == 1, visit)
        }
        let size = SQLiteFormat.pageSize
        var place = 0
        // Holes are not read.
        while let offset = try file?.nextWritten(from: place) {
            let page = offset / size + 1
            place = page * size
            if images[page] == nil { try visitRecords(of: fileImage(of: page), page == 1, visit) }
        }
        for (page, offset) in images.sorted(by: { $0.key < $1.key }) {
            try visitRecords(of: logImage(offset), page == 1, visit)
        }
        if unreadable > 0 { notes.append("\(unreadable) records were cut off") }
        return notes
    }

    private func visitRecords(
        of page: [UInt8], _ isFirst: Bool, _ visit: RecordVisitor
    ) throws {
        let page = SQLiteRecords(page: page)
        for cell in page.cells(isFirstPage: isFirst, limit: storedBytes) {
            guard let payload = try payload(of: cell) else {
                unreadable += 1
                continue
            }
            guard let row = SQLiteRecords.row(of: payload) else { continue }
            try row.key.withUnsafeBytes { key in
                try row.value.withUnsafeBytes { value in
                    try visit(row.isState ? .state : .metadata, key, value)
                }
            }
        }
    }

    /// Returns the payload including its overflow pages; `nil` if one of them is missing.
    private func payload(of cell: SQLiteRecords.Cell) throws -> [UInt8]? {
        var payload = [UInt8](cell.local)
        var next = cell.overflow
        while payload.count < cell.size {
            guard 1...pageCount ~= next, uses[next, default: 0] < Self.mostUses else { return nil }
            uses[next, default: 0] += 1
            let page = try image(of: next)
            guard page.count == SQLiteFormat.pageSize else { return nil }
            next = page[..<4].reduce(0) { $0 << 8 | Int($1) }
            payload.append(contentsOf: page.dropFirst(4).prefix(cell.size - payload.count))
        }
        return payload
    }

    private func image(of page: Int) throws -> [UInt8] {
        try images[page].map(logImage) ?? fileImage(of: page)
    }

    private func logImage(_ offset: Int) throws -> [UInt8] {
        try logFile?.read(SQLiteFormat.pageSize, at: offset) ?? []
    }

    private func fileImage(of page: Int) throws -> [UInt8] {
        try file?.read(SQLiteFormat.pageSize, at: (page - 1) * SQLiteFormat.pageSize) ?? []
    }
}
