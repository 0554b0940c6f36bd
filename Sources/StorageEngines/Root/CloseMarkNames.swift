import BrowserSessions

/// The names of a partition's clean-close marker in the store directory.
struct CloseMarkNames: Sendable {
    /// Its name while nothing has changed since the close.
    let closed: String
    /// Its name afterwards: while the store is in use and after a kill.
    let opened: String

    init(of partition: StoragePartition) {
        closed = "\(partition.rawValue).closed"
        opened = "\(partition.rawValue).opened"
    }

    /// Renames the marker, durably.
    func markOpen(in directory: any FileDirectory) throws(StorageError) {
        guard try directory.has(closed) else { return }
        try directory.rename(closed, to: opened)
        try directory.sync()
    }
}
