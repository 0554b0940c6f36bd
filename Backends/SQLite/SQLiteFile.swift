internal import BrowserSessions
internal import CSQLite
internal import StorageEngines

/// A database file that is read beside connections to it, closed when it goes out of scope.
///
/// It is opened and closed by SQLite's own functions, because closing any other descriptor of the file
/// would drop the locks that connections of this process have on it.
struct SQLiteFile: ~Copyable {
    private var raw = csqlite_file()
    private let name: String

    init(_ name: String, in directory: any FileDirectory) throws(StorageError) {
        self.name = directory.path(of: name)
        let path = "\(directory.pathForLibraries)/\(name)"
        let code = PathText.withCString(path) { path in
            SQLiteDatabase.files.map { csqlite_open_file($0, path, &raw) } ?? SQLITE_ERROR
        }
        guard code == SQLITE_OK else { throw SQLiteErrors.error(code, "open the file") }
    }

    deinit {
        var raw = raw
        csqlite_close_file(&raw)
    }

    /// Copies the file as far as it went at first, to a new file.
    mutating func copy(to name: String, in directory: any FileDirectory) throws(StorageError) {
        _ = try directory.open(name, mode: .new)
        let copy = try directory.open(name, mode: .append)
        var size: Int64 = 0
        try require(csqlite_file_size(&raw, &size))
        for start in stride(from: 0, to: Int(size), by: 1 << 20) {
            try copy.write(try read(min(1 << 20, Int(size) - start), at: start))
        }
    }

    private mutating func read(_ count: Int, at offset: Int) throws(StorageError) -> [UInt8] {
        var code = SQLITE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            code = csqlite_read_file(&raw, buffer.baseAddress, Int32(count), Int64(offset))
            filled = code == SQLITE_OK ? count : 0
        }
        try require(code)
        return bytes
    }

    private func require(_ code: Int32) throws(StorageError) {
        guard code == SQLITE_OK else { throw SQLiteErrors.error(code, "read the file") }
    }
}
