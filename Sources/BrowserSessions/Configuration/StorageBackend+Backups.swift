extension StorageBackend {
    /// Does what ``backUp(_:to:)`` does, on the thread of the caller.
    @discardableResult
    package func backUpBlocking(_ configuration: StorageConfiguration, to path: String)
        throws(StorageError) -> StoreBackup
    {
        try attempt(configuration) { () throws(StorageError) in
            guard let backingUp else {
                throw StorageError(
                    .unsupported,
                    """
                    backend '\(name)' has no files that could be copied to a folder; copy its sessions to a \
                    store that has: sessionctl migrate --from … --to directory://PATH
                    """, operation: "back up")
            }
            return try backingUp(configuration, path)
        }
    }

    /// Copies the regular partition of the store at the configuration's location to a folder, whether
    /// a process has the store open or not.
    ///
    /// The backup holds what a reader would show; see ``openReader(_:)``. It is complete and
    /// durable when the call returns, and only then has its name: until then it is written to a folder
    /// beside it with `.unfinished` at its end. A backup that is there is replaced when the new one is
    /// complete. No file of the store changes, whatever happens; private tabs are in no backup.
    ///
    /// The folder may be on another file system. An unfinished backup that a killed process left is
    /// removed, and made from the beginning. If the disk is full, it is removed too.
    ///
    /// Throws, and leaves what is at the path as it is:
    /// - ``StorageError/Code/unsafeLocation`` if the path is the store's, or inside a store or a backup, or if
    ///   something is there that is neither an empty folder nor a backup, or a backup that was opened to write
    ///   and may hold what is nowhere else, or one with files that are not its own;
    /// - ``StorageError/Code/locked`` if another process makes a backup there;
    /// - ``StorageError/Code/outOfSpace``;
    /// - ``StorageError/Code/unsupported`` if this backend has no files;
    /// - what ``openReader(_:)`` throws.
    @discardableResult
    public func backUp(_ configuration: StorageConfiguration, to path: String)
        async throws(StorageError) -> StoreBackup
    {
        try await hop("back up", configuration) { () throws(StorageError) in
            try backUpBlocking(configuration, to: path)
        }
    }
}
