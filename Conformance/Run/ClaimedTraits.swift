import BrowserSessions

/// What a store claims, on its way from a child process and in reports.
public struct ClaimedTraits: Codable, Hashable, Sendable {
    /// How incognito sessions are encrypted.
    public struct Sealing: Codable, Hashable, Sendable {
        public var cipher: String
        public var keyStore: String
        public var survives: String
        public var keyLiesInStore: Bool
    }

    public var backend: String
    public var durability: [String]
    public var defaultDurability: String
    public var maximumStateBytes: Int
    public var incognitoErasure: String
    public var incognitoSealing: Sealing?
    public var removalErasure: String?
    public var keepsPreviousGeneration: Bool

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
        keepsPreviousGeneration = traits.keepsPreviousGeneration
    }

    /// The traits themselves; `nil` if a name is unknown.
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
            keepsPreviousGeneration: keepsPreviousGeneration)
    }
}
