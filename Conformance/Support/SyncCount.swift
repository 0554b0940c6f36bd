import CSyncCount

/// The syncs of this process. See `sync_count.c` for what is counted.
enum SyncCount {
    static var now: Int { Int(sync_count()) }

    /// Whether the calls of all libraries of this process are counted.
    static let isKept = sync_count_is_kept() == 1
}
