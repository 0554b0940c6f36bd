import BrowserSessions

/// Authenticated encryption and pseudonyms, under one key, for the incognito partition of a store.
///
/// The core has none, to depend on no crypto library; the module `IncognitoEncryption` has
/// AES-256-GCM.
public protocol IncognitoCipher: Sendable {
    /// The name in a sealed partition's header: `AES-256-GCM`. Letters, digits, `-`, `_` and `.`.
    var name: String { get }

    /// Returns a new random key. Throws if the random generator fails.
    func makeKey() throws -> SecretBytes

    /// Returns a sealer for a key. Throws `keyUnavailable` if the bytes are not a key of this
    /// cipher; the key store is then asked for the reason. Any other error means that the cipher
    /// does not work.
    func sealer(key: SecretBytes) throws -> any IncognitoSealer
}

/// Seals and opens the records of one incognito partition.
public protocol IncognitoSealer: Sendable {
    /// Encrypts the bytes and authenticates them together with `binding`, which is not part of the
    /// result. Two calls with the same bytes return different results.
    func seal(_ plain: [UInt8], binding: [UInt8]) throws -> [UInt8]

    /// Decrypts what ``seal(_:binding:)`` returned for the same binding; anything else is
    /// `StorageError.Code.corrupted`.
    func open(_ sealed: [UInt8], binding: [UInt8]) throws -> [UInt8]

    /// Returns a name for the bytes that is always the same under this key and reveals nothing
    /// about them without the key: a keyed pseudorandom function of 16 bytes or more.
    func pseudonym(of bytes: [UInt8]) throws -> [UInt8]
}
