internal import BrowserSessions
internal import StorageEngines

/// Reads what can be read of a damaged database, page by page and without its trees.
///
/// Pages come from the file and, newer, from the log: also from behind a break, where SQLite does
/// not look. Free pages hold nothing, since `secure_delete` fills them with zeros.
final class SQLiteSalvage {
    /// A lost file is as good as an empty one.
    private let file: (any OpenFile)?
    private let logFile: (any OpenFile)?
    /// Where the latest image of a page is in the log.
    private var images: [Int: Int] = [:]
    /// Pages whose latest image may be damaged; the one before it is read as well.
    private var doubtful: [(page: Int, earlier: Int?)] = []
    private var pageCount: Int
    private var notes: [String] = []
    private var unreadable = 0

    init(_ directory: any FileDirectory) throws {
        func open(_ name: String) throws(StorageError) -> (any OpenFile)? {
            try directory.has(name) ? try directory.open(name, .read) : nil
        }
        file = try open(SQLiteFormat.fileName)
        logFile = try open(SQLiteFormat.logName)
        pageCount =
            ((try file?.writtenSize() ?? 0) + SQLiteFormat.pageSize - 1) / SQLiteFormat.pageSize
        if let logFile { applyFrames(of: try SQLiteLog(logFile)) }
    }

    private func applyFrames(of log: SQLiteLog) {
        let end =
            log.frames.lastIndex { $0.isSound && $0.isCurrent && $0.endsCommit }.map { $0 + 1 } ?? 0
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
        for page in stride(from: 1, through: pageCount, by: 1) {
            try visitRecords(of: image(of: page), isFirst: page == 1, visit)
        }
        for (page, earlier) in doubtful {
            let image = try earlier.map(logImage) ?? fileImage(of: page)
            try visitRecords(of: image, isFirst: page == 1, visit)
        }
        if unreadable > 0 { notes.append("\(unreadable) records were cut off") }
        return notes
    }

    private func visitRecords(of page: [UInt8], isFirst: Bool, _ visit: RecordVisitor) throws {
        let limit = pageCount * SQLiteFormat.pageSize
        for cell in SQLiteRecords(page: page).cells(isFirstPage: isFirst, limit: limit) {
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

    /// The payload with what stands in overflow pages; `nil` if a page of them is missing.
    private func payload(of cell: SQLiteRecords.Cell) throws -> [UInt8]? {
        var payload = [UInt8](cell.local)
        var next = cell.overflow
        while payload.count < cell.size {
            guard 1...pageCount ~= next else { return nil }
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
