internal import BrowserSessions
internal import CLevelDB

/// An open database, closed when it goes out of scope.
struct LevelDBDatabase: ~Copyable {
    private let raw: OpaquePointer
    // LevelDB refers to the filter until it is closed.
    private let options: LevelDBOptions

    init(opening path: String, compression: LevelDBCompression, create: Bool = false)
        throws(StorageError)
    {
        let options = LevelDBOptions(compression: compression, create: create)
        var message: UnsafeMutablePointer<CChar>?
        let handle = leveldb_open(options.opening, path, &message)
        if let error = LevelDBErrors.take(message, "open") { throw error }
        guard let handle else { throw StorageError(.failed, "LevelDB cannot open '\(path)'") }
        raw = handle
        self.options = options
    }

    deinit { leveldb_close(raw) }

    borrowing func value(of key: [UInt8]) throws(StorageError) -> [UInt8]? {
        var message: UnsafeMutablePointer<CChar>?
        var count = 0
        let start = leveldb_get(
            raw, options.reading, key.map(CChar.init(bitPattern:)), key.count, &count, &message)
        if let error = LevelDBErrors.take(message, "read") { throw error }
        guard let start else { return nil }
        defer { leveldb_free(start) }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    borrowing func scan(
        _ prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let iterator = LevelDBIterator(leveldb_create_iterator(raw, options.reading))
        iterator.seek(to: prefix)
        try prefix.withUnsafeBytes { prefix in
            while iterator.isValid {
                let key = iterator.key
                guard key.count >= prefix.count,
                    key[..<prefix.count].elementsEqual(prefix)
                else { break }
                try visit(key, iterator.value)
                iterator.advance()
            }
        }
        // It passes over damaged blocks and tells at the end.
        try iterator.check()
    }

    borrowing func write(_ batch: borrowing LevelDBBatch, durably: Bool) throws(StorageError) {
        var message: UnsafeMutablePointer<CChar>?
        leveldb_write(raw, durably ? options.syncing : options.writing, batch.raw, &message)
        if let error = LevelDBErrors.take(message, "save") { throw error }
    }

    /// Writes what is in memory to a table, which ends the log: the first thing that compacting
    /// any range does, even one without keys.
    borrowing func flush() {
        let beyond: [CChar] = [-1]
        leveldb_compact_range(raw, beyond, 1, beyond, 1)
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

    borrowing func seek(to key: [UInt8]) {
        key.withUnsafeBytes { bytes in
            leveldb_iter_seek(
                raw, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
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
    let raw: OpaquePointer = leveldb_writebatch_create()
    /// The number of operations: what the database's sequence number grows by.
    private(set) var count: UInt64 = 0
    private(set) var bytes = 0

    deinit { leveldb_writebatch_destroy(raw) }

    mutating func put(_ value: [UInt8], for key: [UInt8]) {
        key.withUnsafeBytes { key in
            value.withUnsafeBytes { value in
                leveldb_writebatch_put(
                    raw, key.baseAddress?.assumingMemoryBound(to: CChar.self), key.count,
                    value.baseAddress?.assumingMemoryBound(to: CChar.self), value.count)
            }
        }
        count += 1
        bytes += key.count + value.count
    }

    mutating func remove(_ key: [UInt8]) {
        key.withUnsafeBytes { key in
            leveldb_writebatch_delete(
                raw, key.baseAddress?.assumingMemoryBound(to: CChar.self), key.count)
        }
        count += 1
        bytes += key.count
    }
}
