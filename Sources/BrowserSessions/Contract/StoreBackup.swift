/// A copy of the regular partition of a store, made while the store was in use; see
/// ``StorageBackend/backUp(_:to:)``.
public struct StoreBackup: Hashable, Sendable {
    /// The folder of the backup. It is a store of the same backend, which can be opened there, or
    /// copied to where it is needed.
    public var path: String
    /// What the store that it is of has in common with its copies and other backups alone: random letters
    /// and digits. Empty if the store was never opened for writing since stores have that.
    public var store: String
    /// The name of the backend that opens it.
    public var backend: String
    /// The number of the last change set that it holds; 0 for an empty store.
    public var sequence: UInt64
    /// The number of bytes of its files when it was made.
    public var bytes: Int
    /// A digest of all sessions: 16 hexadecimal digits. Readers of the same store that show the same change
    /// set have the same digest, whatever restore points there are.
    public var digest: String
    /// The wall-clock time at which that was the store's state.
    public var asOf: Timestamp

    /// Creates a description of a backup. Backends do that in ``StorageBackend/backUp(_:to:)``.
    public init(
        path: String, store: String = "", backend: String, sequence: UInt64, bytes: Int,
        digest: String, asOf: Timestamp
    ) {
        self.path = path
        self.store = store
        self.backend = backend
        self.sequence = sequence
        self.bytes = bytes
        self.digest = digest
        self.asOf = asOf
    }
}
