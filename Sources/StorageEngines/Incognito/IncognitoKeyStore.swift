public import BrowserSessions

/// The subject of incognito key identifiers.
public enum IncognitoKeySubject {}

/// Identifies the key of an incognito partition. It is random, so that it reveals nothing.
public typealias IncognitoKeyID = Identifier<IncognitoKeySubject>

/// Keeps the keys of incognito partitions. Where it keeps them decides what incognito sessions
/// survive, and whether a copy of the store's files can be read.
///
/// The module `IncognitoEncryption` has three: in memory, in the kernel's keyring and in a file. A
/// host may supply its own, for example over a keychain. One value may serve several stores at
/// once, from any thread. Errors reach the caller as `StorageError.Code.keyUnavailable`, except for
/// a full disk or quota: `StorageError.Code.outOfSpace`.
public protocol IncognitoKeyStore: Sendable {
    /// The name in the header of a sealed partition, which identifies the key store later:
    /// `keyring`. Letters, digits, `-`, `_` and `.`; a host's own key store needs a name that the
    /// library does not use.
    var name: String { get }

    /// What a key survives. Incognito sessions are never promised more.
    var survives: Durability { get }

    /// Whether the keys are in the stores' directories, so that a copy of one can be read.
    var keepsKeysInStore: Bool { get }

    /// The scope that current keys cannot outlive: a unique name for the start of the system.
    /// Letters, digits, `-`, `_` and `.`; `nil` if ``key(for:of:)`` always knows.
    ///
    /// A missing key counts as lost only if the scope has changed since the key was kept: a caller
    /// in another container may see another keyring.
    var keyScope: String? { get }

    /// Keeps a key for the incognito partition of a store, as a whole or not at all.
    ///
    /// Replaces a key that is kept for the same id, in one step: the key of up to 64 bytes is
    /// followed by the location of its store, up to 4108 bytes, and the location may change. A key
    /// store that keeps keys in the stores is never asked to replace one. No other copy of the
    /// bytes may stay in memory.
    ///
    /// - Parameter key: the key, followed by the location of its store.
    /// - Parameter id: the random id that the headers name.
    /// - Parameter store: the store's directory; `nil` if it has none.
    func save(_ key: SecretBytes, for id: IncognitoKeyID, of store: (any FileDirectory)?) throws

    /// Returns the key, or `nil` **only** if it is certainly not held any more, or if ``keyScope`` shows
    /// that: the partition is then removed, unless the keys are in the stores, where a file may be missing.
    /// Throws if neither can be determined.
    func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) throws -> SecretBytes?

    /// Destroys the key and every copy of it. Does nothing if there is no such key.
    ///
    /// A key store that keeps keys in the stores has one for each, and destroys it whatever its id.
    func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) throws
}

extension IncognitoKeyStore {
    public var keyScope: String? { nil }
}

extension StorageTraits.Sealing {
    /// Describes sealing by a cipher with keys in a key store.
    public init(cipher: any IncognitoCipher, keyStore: any IncognitoKeyStore) {
        self.init(
            cipher: cipher.name, keyStore: keyStore.name, survives: keyStore.survives,
            keyLiesInStore: keyStore.keepsKeysInStore)
    }
}
