internal import CLevelDB

/// The option objects of a database, destroyed when they go out of scope.
struct LevelDBOptions: ~Copyable {
    let opening: OpaquePointer
    /// Always verifies blocks: LevelDB trusts an unverified block, and a damaged key then stops the
    /// process or worse.
    let reading: OpaquePointer
    let writing: OpaquePointer
    let syncing: OpaquePointer
    private let filter: OpaquePointer

    /// With less, a burst of saves may wait for a table to be written.
    private static let writeBufferBytes = 16 << 20
    /// Few, large tables, because opening checks each of them.
    private static let tableBytes = 16 << 20
    private static let filterBitsPerKey: Int32 = 10

    init(_ settings: LevelDBSettings, create: Bool) {
        opening = leveldb_options_create()
        reading = leveldb_readoptions_create()
        writing = leveldb_writeoptions_create()
        syncing = leveldb_writeoptions_create()
        filter = leveldb_filterpolicy_create_bloom(Self.filterBitsPerKey)
        leveldb_options_set_create_if_missing(opening, create ? 1 : 0)
        // Reports a damaged record as an error, not as the silent end of a log.
        leveldb_options_set_paranoid_checks(opening, 1)
        leveldb_options_set_filter_policy(opening, filter)
        leveldb_options_set_write_buffer_size(opening, Self.writeBufferBytes)
        leveldb_options_set_max_file_size(opening, Self.tableBytes)
        let isPlain = settings.compression == .none
        let method = isPlain ? leveldb_no_compression : leveldb_snappy_compression
        leveldb_options_set_compression(opening, Int32(method))
        leveldb_readoptions_set_verify_checksums(reading, 1)
        leveldb_writeoptions_set_sync(syncing, 1)
    }

    deinit {
        leveldb_options_destroy(opening)
        leveldb_readoptions_destroy(reading)
        leveldb_writeoptions_destroy(writing)
        leveldb_writeoptions_destroy(syncing)
        leveldb_filterpolicy_destroy(filter)
    }
}
