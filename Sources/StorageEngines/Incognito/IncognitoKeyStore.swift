public import BrowserSessions

/// Marks identifiers of keys of incognito sides.
public enum IncognitoKeySubject {}

/// Identifies the key of an incognito side; random, so that it says nothing.
public typealias IncognitoKeyID = Identifier<IncognitoKeySubject>

/// Keeps the keys of incognito sides: where it does so decides what incognito sessions survive,
/// and whether a copy of the store's files can be read.
///
/// The module `IncognitoEncryption` has three, in memory, in the kernel's keyring and in a file; a host
/// may bring its own, say over a keychain. One value may serve several stores at once, from any thread.
/// Errors reach the caller as `StorageError.Code.keyUnavailable`, but for a full disk or quota, which
/// stays `StorageError.Code.outOfSpace`.
public protocol IncognitoKeyStore: Sendable {
    /// The name in the header of a sealed side, by which the store is found again: `keyring`.
    /// Letters, digits, `-`, `_` and `.`; a host's own must differ from the library's.
    var name: String { get }

    /// What a key survives. Nothing incognito is promised more.
    var survives: Durability { get }

    /// Whether the keys lie in the directories of the stores, so that a copy of one can be read.
    var keepsKeysInStore: Bool { get }

    /// What the keys that are kept now cannot outlive: the start of the system, by a name that it has
    /// with no other. Letters, digits, `-`, `_` and `.`; `nil` if ``key(for:of:)`` always knows.
    ///
    /// A key that is not found counts as lost only if this has changed since it was kept: whoever looks
    /// from another container may see another keyring.
    var era: String? { get }

    /// Keeps a key for the incognito side of a store, as a whole or not at all.
    ///
    /// What is kept for the same id already, it replaces, in one step: behind the key, which is up to 64
    /// bytes, come the place of its store and up to 4108 bytes, and the place may change. A key store that
    /// keeps keys in the stores is never asked to replace one. No other copy of the bytes may stay in memory.
    ///
    /// - Parameter store: the store's directory; `nil` if it has none.
    func save(_ key: SecretBytes, for id: IncognitoKeyID, of store: (any FileDirectory)?) throws

    /// The key; `nil` **only** if it is certain that it is not held any more, or ``era`` tells that,
    /// because the side is then removed. Throws if that could not be found out.
    func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) throws -> SecretBytes?

    /// Destroys the key: afterwards no copy of it is left. Nothing happens if there is none.
    ///
    /// A store that keeps its keys in the directories of the stores has one key for each and
    /// destroys it whatever its id.
    func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) throws
}

extension IncognitoKeyStore {
    public var era: String? { nil }
}

extension StorageTraits.Sealing {
    /// The sealing by a cipher with keys in a key store.
    public init(cipher: any IncognitoCipher, keyStore: any IncognitoKeyStore) {
        self.init(
            cipher: cipher.name, keyStore: keyStore.name, survives: keyStore.survives,
            keyLiesInStore: keyStore.keepsKeysInStore)
    }
}
