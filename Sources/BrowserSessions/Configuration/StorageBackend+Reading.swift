extension StorageBackend {
    /// Does what ``openReader(_:)`` does, on the thread of the caller.
    package func openReaderBlocking(_ configuration: StorageConfiguration) throws(StorageError)
        -> StoreReader
    {
        try attempt(configuration) { () throws(StorageError) in
            guard let reading else {
                throw StorageError(
                    .unsupported,
                    """
                    backend '\(name)' cannot read a store beside the process that has it open; close it \
                    there and open it with access=readOnly, or export it from there
                    """, operation: "open reader")
            }
            return try reading(configuration)
        }
    }

    /// Opens the store at the configuration's location for reading beside the process that has it
    /// open, or that was killed.
    ///
    /// The reader shows the store as it was after one of its change sets: at least as new as the last
    /// one that was durable when the call began, whole, and the regular partition only. It stays at
    /// that state. The owner notices nothing: no save fails because of a reader or waits for
    /// one longer than for a sync, and no file of the store changes. Nothing is created where no store
    /// is. The options are those of ``open(_:)``; `access` makes no difference.
    ///
    /// Throws:
    /// - ``StorageError/Code/unsupported`` if this backend cannot do that, as
    ///   ``StorageTraits/opensReaders`` says, with what to do instead;
    /// - ``StorageError/Code/unavailable`` if it can, and found no sound state this time;
    /// - ``StorageError/Code/notFound`` if no store is there, and what an opening throws.
    ///
    /// Every error names the location.
    public func openReader(_ configuration: StorageConfiguration) async throws(StorageError)
        -> StoreReader
    {
        try await hop("open reader", configuration) { () throws(StorageError) in
            try openReaderBlocking(configuration)
        }
    }
}
