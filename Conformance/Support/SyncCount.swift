import CDisk

/// The syncs of this process. See `syncs.c` for what is counted.
enum SyncCount {
    static var now: Int { Int(disk_sync_count()) }

    /// Whether the calls of all libraries of this process are counted, and their effects on files
    /// can be recorded.
    static let isKept = disk_is_watchable() == 1
}
