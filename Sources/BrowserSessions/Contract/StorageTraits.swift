/// What a store claims; the conformance suite tests each claim.
public struct StorageTraits: Hashable, Sendable {
    /// The name of the backend: `sqlite`.
    public var backend: String
    /// The levels that a save can reach.
    public var durability: Set<Durability>
    /// The level of a save that names none.
    public var defaultDurability: Durability
    /// The most bytes that one state blob may have; more is ``StorageError/Code/tooLarge``.
    public var maximumStateBytes: Int
    /// What is left of incognito sessions after they were deleted.
    public var incognitoErasure: Erasure

    /// How thoroughly deleted data is gone.
    public enum Erasure: String, Hashable, Sendable {
        /// Gone from the store; bytes may be left in its files.
        case removed
        /// No byte is left in any file of the store; the medium may still hold freed blocks.
        case erased
        /// Every byte was encrypted from the start, and the key is destroyed.
        case sealed
    }

    /// The default of ``maximumStateBytes``: 16 MiB.
    public static let defaultMaximumStateBytes = 16 * 1024 * 1024

    public init(
        backend: String,
        durability: Set<Durability>,
        defaultDurability: Durability = .powerLoss,
        maximumStateBytes: Int = defaultMaximumStateBytes,
        incognitoErasure: Erasure
    ) {
        self.backend = backend
        self.durability = durability
        self.defaultDurability = defaultDurability
        self.maximumStateBytes = maximumStateBytes
        self.incognitoErasure = incognitoErasure
    }
}
