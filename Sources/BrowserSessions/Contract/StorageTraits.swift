/// What a store guarantees. The conformance suite tests each claim.
public struct StorageTraits: Hashable, Sendable {
    /// The name of the backend, such as `sqlite`.
    public var backend: String
    /// The levels that a save can reach. A request above the greatest of them is
    /// ``StorageError/Code/unsupported``.
    public var durability: Set<Durability>
    /// The level of a save that does not name one.
    public var defaultDurability: Durability
    /// The maximum size of one state blob in bytes; a larger one is ``StorageError/Code/tooLarge``.
    public var maximumStateBytes: Int
    /// What is left of incognito sessions after their deletion.
    public var incognitoErasure: Erasure
    /// How incognito sessions are encrypted; `nil` if they are not.
    public var incognitoSealing: Sealing?
    /// Why the incognito sessions in the store cannot be read now, in a sentence that says what to
    /// do; `nil` if they can be read, or there are none. Such sessions are in no list.
    public var incognitoProblem: String?
    /// The code of that error, such as `keyUnavailable` if the key store does not answer.
    package var incognitoProblemCode: StorageError.Code?
    /// The number of incognito partitions that opening the store removed because their key is gone.
    public var discardedIncognitoPartitions = 0
    /// The address of another store on a server that the key of the incognito sessions was made for: this one
    /// is a copy of it, and removing this one leaves the key. `nil` if there is none.
    public var incognitoKeyOwner: String?
    /// What ``ErasureScope/removedData`` leaves of removed or replaced data; `nil` if the call
    /// is ``StorageError/Code/unsupported``.
    public var removalErasure: Erasure?
    /// Whether the store keeps restore points. If not, reading at one is
    /// ``StorageError/Code/unsupported``.
    public var keepsRestorePoints: Bool
    /// Whether the store takes restore points when it is asked to, and releases them. If not, both
    /// calls are ``StorageError/Code/unsupported``.
    public var takesRestorePoints: Bool
    /// Whether the backend opens a store for reading beside the process that has it open. If not,
    /// ``StorageBackend/openReader(_:)`` is ``StorageError/Code/unsupported``.
    public var opensReaders: Bool

    /// The greatest durability of an incognito save: at most what its key survives.
    public var incognitoDurability: Durability {
        min(greatestDurability, incognitoSealing?.survives ?? greatestDurability)
    }

    /// The greatest durability of any save.
    package var greatestDurability: Durability { durability.max() ?? .memory }

    /// How the incognito partition is encrypted, and where its key is.
    public struct Sealing: Hashable, Sendable {
        /// The cipher, such as `AES-256-GCM`.
        public var cipher: String
        /// What keeps the key: `memory`, `keyring`, `file`, or a name that the host chose.
        public var keyStore: String
        /// What the key survives. A ``Durability/memory`` key is gone with the process, and a
        /// ``Durability/processCrash`` key at the next start of the system.
        public var survives: Durability
        /// Whether the key is among the store's files, so that a copy of them can be read.
        public var keyLiesInStore: Bool

        /// Creates a description of how incognito sessions are encrypted and where their key is.
        public init(cipher: String, keyStore: String, survives: Durability, keyLiesInStore: Bool) {
            self.cipher = cipher
            self.keyStore = keyStore
            self.survives = survives
            self.keyLiesInStore = keyLiesInStore
        }
    }

    /// How thoroughly deleted data is erased. More cases may be added.
    @nonexhaustive
    public enum Erasure: String, Hashable, Sendable {
        /// Removed from the store; bytes may be left in its files.
        case removed
        /// No byte is left in any file of the store; the medium may still hold freed blocks.
        case erased
        /// Every byte was encrypted from the start, and the key is destroyed.
        case sealed
    }

    /// The default of ``maximumStateBytes``: 16 MiB.
    @usableFromInline package static let defaultMaximumStateBytes = 16 * 1024 * 1024

    /// Creates traits. By default, saves survive a loss of power, a state blob has at most 16 MiB,
    /// incognito sessions are not encrypted, restore points are kept, but not taken when asked, and
    /// no reader is opened beside the owner.
    public init(
        backend: String,
        durability: Set<Durability>,
        defaultDurability: Durability = .powerLoss,
        maximumStateBytes: Int = defaultMaximumStateBytes,
        incognitoErasure: Erasure,
        incognitoSealing: Sealing? = nil,
        removalErasure: Erasure? = nil,
        keepsRestorePoints: Bool = true,
        takesRestorePoints: Bool = false,
        opensReaders: Bool = false
    ) {
        self.backend = backend
        self.durability = durability
        self.defaultDurability = defaultDurability
        self.maximumStateBytes = maximumStateBytes
        self.incognitoErasure = incognitoErasure
        self.incognitoSealing = incognitoSealing
        self.removalErasure = removalErasure
        self.keepsRestorePoints = keepsRestorePoints
        self.takesRestorePoints = takesRestorePoints
        self.opensReaders = opensReaders
    }
}
