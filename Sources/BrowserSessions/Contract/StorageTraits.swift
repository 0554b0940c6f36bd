/// What a store claims; the conformance suite tests each claim.
public struct StorageTraits: Hashable, Sendable {
    /// The name of the backend: `sqlite`.
    public var backend: String
    /// The levels that a save can reach. Asking for more than the greatest of them is
    /// ``StorageError/Code/unsupported``.
    public var durability: Set<Durability>
    /// The level of a save that names none.
    public var defaultDurability: Durability
    /// The most bytes that one state blob may have; more is ``StorageError/Code/tooLarge``.
    public var maximumStateBytes: Int
    /// What is left of incognito sessions after they were deleted.
    public var incognitoErasure: Erasure
    /// How incognito sessions are encrypted; `nil` if they are not.
    public var incognitoSealing: Sealing?
    /// Why the incognito sessions that lie in the store cannot be read now, in a sentence that says what to
    /// do; `nil` if they can, or there are none. They are in no list of sessions.
    public var incognitoProblem: String?
    /// The code of that error: `keyUnavailable` if the key store does not answer or is not here, for example.
    public var incognitoProblemCode: StorageError.Code?
    /// How many incognito sides the opening of the store removed, because their key is not held any more.
    public var discardedIncognitoSides = 0
    /// What ``SessionStorage/eraseRemoved()`` leaves of what was removed or replaced; `nil` if it is
    /// ``StorageError/Code/unsupported``.
    public var removalErasure: Erasure?
    /// Whether an earlier state of every regular session can be restored. If not, asking for
    /// ``SessionGeneration/previous`` is ``StorageError/Code/unsupported``.
    public var keepsPreviousGeneration: Bool

    /// The most that an incognito save survives: with the best medium, no more than its key.
    public var incognitoDurability: Durability {
        min(greatestDurability, incognitoSealing?.survives ?? greatestDurability)
    }

    /// The most that any save survives.
    public var greatestDurability: Durability { durability.max() ?? .memory }

    /// How the incognito side is encrypted, and where its key is.
    public struct Sealing: Hashable, Sendable {
        /// `AES-256-GCM`.
        public var cipher: String
        /// Who keeps the key: `memory`, `keyring`, `file`, or a host's own name.
        public var keyStore: String
        /// What the key survives: ``Durability/memory`` is gone with the process,
        /// ``Durability/processCrash`` at the next start of the system.
        public var survives: Durability
        /// Whether the key lies among the store's files, so that a copy of them can be read.
        public var keyLiesInStore: Bool

        public init(cipher: String, keyStore: String, survives: Durability, keyLiesInStore: Bool) {
            self.cipher = cipher
            self.keyStore = keyStore
            self.survives = survives
            self.keyLiesInStore = keyLiesInStore
        }
    }

    /// How thoroughly deleted data is gone. More may come.
    @nonexhaustive
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
        incognitoErasure: Erasure,
        incognitoSealing: Sealing? = nil,
        removalErasure: Erasure? = nil,
        keepsPreviousGeneration: Bool = true
    ) {
        self.backend = backend
        self.durability = durability
        self.defaultDurability = defaultDurability
        self.maximumStateBytes = maximumStateBytes
        self.incognitoErasure = incognitoErasure
        self.incognitoSealing = incognitoSealing
        self.removalErasure = removalErasure
        self.keepsPreviousGeneration = keepsPreviousGeneration
    }
}
