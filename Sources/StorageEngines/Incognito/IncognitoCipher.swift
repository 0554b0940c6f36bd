import BrowserSessions

/// Encrypts the incognito side of a store: authenticated encryption and pseudonyms under one key.
///
/// The core brings none, so that it depends on no crypto library; the module `IncognitoEncryption`
/// has AES-256-GCM.
public protocol IncognitoCipher: Sendable {
    /// The name in the header of a sealed side: `AES-256-GCM`. Letters, digits, `-`, `_` and `.`.
    var name: String { get }

    /// A new random key. Throws if the random generator fails.
    func makeKey() throws -> SecretBytes

    /// What seals and opens with a key. Throws `keyUnavailable` if the bytes are no key of this
    /// cipher, so that its key store is asked why; any other error says that the cipher does not
    /// work.
    func sealer(key: SecretBytes) throws -> any IncognitoSealer
}

/// Seals and opens the records of one incognito side.
public protocol IncognitoSealer: Sendable {
    /// Encrypts the bytes and authenticates them together with `binding`, which is not part of the
    /// result. Two calls with the same bytes have different results.
    func seal(_ plain: [UInt8], binding: [UInt8]) throws -> [UInt8]

    /// Decrypts what ``seal(_:binding:)`` made with the same binding; anything else is
    /// `StorageError.Code.corrupted`.
    func open(_ sealed: [UInt8], binding: [UInt8]) throws -> [UInt8]

    /// A name for the bytes, always the same under this key, that tells nothing about them to
    /// whoever has not the key: a keyed pseudorandom function of 16 bytes or more.
    func pseudonym(of bytes: [UInt8]) throws -> [UInt8]
}
