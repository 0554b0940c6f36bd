internal import BrowserSessions
internal import CLevelDB
internal import StorageEngines

/// An open database, closed when it goes out of scope.
struct LevelDBDatabase: ~Copyable {
    private let raw: OpaquePointer
    // LevelDB refers to the filter until it is closed.
    private let options: LevelDBOptions

    init(opening files: any FileDirectory, _ settings: LevelDBSettings, create: Bool = false)
        throws(StorageError)
    {
        let options = LevelDBOptions(settings, create: create)
        var message: UnsafeMutablePointer<CChar>?
        let handle = PathText.withCString(files.pathForLibraries) {
            leveldb_open(options.opening, $0, &message)
        }
        if let error = LevelDBErrors.take(message, "open") { throw error }
        guard let handle else { throw StorageError(.failed, "LevelDB cannot open '\(files.path)'") }
        raw = handle
        self.options = options
    }

    deinit { leveldb_close(raw) }

    borrowing func value(of key: UnsafeRawBufferPointer) throws(StorageError) -> [UInt8]? {
        var message: UnsafeMutablePointer<CChar>?
        var count = 0
        let start = leveldb_get(raw, options.reading, key.chars, key.count, &count, &message)
        if let error = LevelDBErrors.take(message, "read") { throw error }
        guard let start else { return nil }
        defer { leveldb_free(start) }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    borrowing func scan(
        _ prefix: UnsafeRawBufferPointer,
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let iterator = LevelDBIterator(leveldb_create_iterator(raw, options.reading))
        iterator.seek(to: prefix)
        while iterator.isValid {
            let key = iterator.key
            let begins = cleveldb_begins(
                key.baseAddress, key.count, prefix.baseAddress, prefix.count)
            guard begins else { break }
            try visit(key, iterator.value)
            iterator.advance()
        }
        // LevelDB skips damaged blocks and reports them at the end.
        try iterator.check()
    }

    borrowing func write(_ batch: borrowing LevelDBBatch, durably: Bool) throws(StorageError) {
        var message: UnsafeMutablePointer<CChar>?
        leveldb_write(raw, durably ? options.syncing : options.writing, batch.raw, &message)
        if let error = LevelDBErrors.take(message, "save") { throw error }
    }

    /// Writes what is in memory to a table, which ends the log: the first thing that compacting any
    /// range does, even one without keys.
    borrowing func flush() {
        let beyond: [CChar] = [-1]
        leveldb_compact_range(raw, beyond, 1, beyond, 1)
    }

    /// Merges the tables that hold keys with the prefix, so that a scan of these need not skip
    /// replaced values.
    borrowing func merge(_ prefix: UInt8) {
        let (start, end) = (CChar(bitPattern: prefix), CChar(bitPattern: prefix + 1))
        leveldb_compact_range(raw, [start], 1, [end], 1)
    }
}

/// A cursor over the keys, destroyed when it goes out of scope.
struct LevelDBIterator: ~Copyable {
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) { self.raw = raw }

    deinit { leveldb_iter_destroy(raw) }

    var isValid: Bool { leveldb_iter_valid(raw) != 0 }

    var key: UnsafeRawBufferPointer {
        var count = 0
        let start = leveldb_iter_key(raw, &count)
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    var value: UnsafeRawBufferPointer {
        var count = 0
        let start = leveldb_iter_value(raw, &count)
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    borrowing func seek(to key: UnsafeRawBufferPointer) {
        leveldb_iter_seek(raw, key.chars, key.count)
    }

    borrowing func advance() { leveldb_iter_next(raw) }

    borrowing func check() throws(StorageError) {
        var message: UnsafeMutablePointer<CChar>?
        leveldb_iter_get_error(raw, &message)
        if let error = LevelDBErrors.take(message, "read") { throw error }
    }
}

/// Operations that are applied together, destroyed when they go out of scope.
struct LevelDBBatch: ~Copyable {
    private(set) var raw: OpaquePointer = leveldb_writebatch_create()
    /// The number of operations, by which the database's sequence number grows.
    private(set) var count: UInt64 = 0
    private(set) var bytes = 0

    /// A batch that held more releases its memory when it is cleared.
    private static let keptBytes = 256 << 10

    deinit { leveldb_writebatch_destroy(raw) }

    /// Empties it, so that the next save need not allocate memory.
    mutating func clear() {
        if bytes > Self.keptBytes {
            leveldb_writebatch_destroy(raw)
            raw = leveldb_writebatch_create()
        } else {
            leveldb_writebatch_clear(raw)
        }
        count = 0
        bytes = 0
    }

    mutating func put(_ value: [UInt8], for key: UnsafeRawBufferPointer) {
        value.withUnsafeBytes { value in
            leveldb_writebatch_put(raw, key.chars, key.count, value.chars, value.count)
        }
        count += 1
        bytes += key.count + value.count
    }

    mutating func remove(_ key: UnsafeRawBufferPointer) {
        leveldb_writebatch_delete(raw, key.chars, key.count)
        count += 1
        bytes += key.count
    }

    mutating func remove(_ key: [UInt8]) { key.withUnsafeBytes { remove($0) } }
}

extension UnsafeRawBufferPointer {
    /// The pointer that the C interface takes.
    fileprivate var chars: UnsafePointer<CChar>? {
        baseAddress?.assumingMemoryBound(to: CChar.self)
    }
}
