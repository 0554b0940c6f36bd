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

    /// Renames the marker, and makes durable what the store was found with: a store that was copied
    /// or restored has the marker too, and names that no process has synced.
    ///
    /// - Parameter files: the directory of the partition.
    func markOpen(_ files: any FileDirectory, in directory: any FileDirectory) throws(StorageError)
    {
        guard try directory.has(closed) else { return }
        try files.sync()
        try directory.rename(closed, to: opened)
        try directory.sync()
    }
}
