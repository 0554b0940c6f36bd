import BrowserSessions

/// The claims of a store, as child processes and reports encode them.
public struct ClaimedTraits: Codable, Hashable, Sendable {
    /// How incognito sessions are encrypted.
    public struct Sealing: Codable, Hashable, Sendable {
        /// The cipher, such as `AES-256-GCM`.
        public var cipher: String
        /// What keeps the key: `memory`, `keyring`, `file`, or a name that the host chose.
        public var keyStore: String
        /// What the key survives, as the raw value of a `Durability`.
        public var survives: String
        /// Whether the key is among the store's files, so that a copy of them can be read.
        public var keyLiesInStore: Bool
    }

    /// The name of the backend, such as `sqlite`.
    public var backend: String
    /// The levels that a save can reach, from the least to the greatest.
    public var durability: [String]
    /// The level of a save that does not name one.
    public var defaultDurability: String
    /// The maximum size of one state blob in bytes.
    public var maximumStateBytes: Int
    /// What is left of deleted incognito sessions: `removed`, `erased`, or `sealed`.
    public var incognitoErasure: String
    /// How incognito sessions are encrypted; `nil` if they are not.
    public var incognitoSealing: Sealing?
    /// What is left of removed data once it is erased; `nil` if the store cannot erase it.
    public var removalErasure: String?
    /// Whether an earlier state of every regular session can be restored.
    public var keepsRestorePoints: Bool
    /// Whether restore points are taken and released on request.
    public var takesRestorePoints: Bool
    /// Whether a store can be opened for reading beside its owner.
    public var opensReaders: Bool

    init(_ traits: StorageTraits) {
        backend = traits.backend
        durability = traits.durability.sorted().map(\.rawValue)
        defaultDurability = traits.defaultDurability.rawValue
        maximumStateBytes = traits.maximumStateBytes
        incognitoErasure = traits.incognitoErasure.rawValue
        incognitoSealing = traits.incognitoSealing.map {
            Sealing(
                cipher: $0.cipher, keyStore: $0.keyStore, survives: $0.survives.rawValue,
                keyLiesInStore: $0.keyLiesInStore)
        }
        removalErasure = traits.removalErasure?.rawValue
        keepsRestorePoints = traits.keepsRestorePoints
        takesRestorePoints = traits.takesRestorePoints
        opensReaders = traits.opensReaders
    }

    /// The decoded traits; `nil` if a name is unknown.
    var traits: StorageTraits? {
        guard let defaultDurability = Durability(rawValue: defaultDurability),
            let incognito = StorageTraits.Erasure(rawValue: incognitoErasure)
        else { return nil }
        let removal = removalErasure.flatMap(StorageTraits.Erasure.init(rawValue:))
        let sealing = incognitoSealing.flatMap { sealing in
            Durability(rawValue: sealing.survives).map {
                StorageTraits.Sealing(
                    cipher: sealing.cipher, keyStore: sealing.keyStore, survives: $0,
                    keyLiesInStore: sealing.keyLiesInStore)
            }
        }
        return StorageTraits(
            backend: backend, durability: Set(durability.compactMap(Durability.init(rawValue:))),
            defaultDurability: defaultDurability, maximumStateBytes: maximumStateBytes,
            incognitoErasure: incognito, incognitoSealing: sealing, removalErasure: removal,
            keepsRestorePoints: keepsRestorePoints, takesRestorePoints: takesRestorePoints,
            opensReaders: opensReaders)
    }
}
