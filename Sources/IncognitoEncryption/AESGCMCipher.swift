public import BrowserSessions
import PlatformCrypto
public import StorageEngines

/// AES-256 in Galois/Counter Mode, with pseudonyms by HMAC-SHA256.
///
/// The key of a partition is used for neither; HKDF-SHA256 derives one key for each. Every record
/// gets a random 96-bit nonce. Random nonces stay unique up to 2³² records under one key (NIST SP
/// 800-38D: a repetition is then as likely as 1 in 2³²). At a thousand saved records a second, that
/// is 50 days of one incognito partition, and the next partition has a new key.
public struct AESGCMCipher: IncognitoCipher {
    public var name: String { "AES-256-GCM" }
    private static let keyBytes = 32

    /// Creates a cipher. It holds no key: every sealer gets its own.
    public init() {}

    public func makeKey() throws(StorageError) -> SecretBytes {
        try checked { () throws(CryptoFailure) in
            try SecretBytes(capacity: Self.keyBytes) { memory throws(CryptoFailure) in
                try memory.fillAtRandom()
                return memory.count
            }
        }
    }

    public func sealer(key: SecretBytes) throws(StorageError) -> any IncognitoSealer {
        guard key.count == Self.keyBytes else {
            throw StorageError(
                .keyUnavailable, "a key of \(name) has \(Self.keyBytes) bytes, not \(key.count)")
        }
        return try checked { () throws(CryptoFailure) in
            try key.withUnsafeBytes { key throws(CryptoFailure) in try AESGCMSealer(key) }
        }
    }
}

/// The keys derived for a partition; they are wiped when the last reference to the sealer is
/// released.
private struct AESGCMSealer: IncognitoSealer {
    private let records: AES256GCM
    private let pseudonyms: HMACSHA256

    private static let pseudonymBytes = 16

    init(_ key: UnsafeRawBufferPointer) throws(CryptoFailure) {
        records = try AES256GCM(derivedFrom: key, for: Self.info("records"))
        pseudonyms = try HMACSHA256(derivedFrom: key, for: Self.info("pseudonyms"))
    }

    private static func info(_ purpose: String) -> [UInt8] {
        [UInt8]("browser-sessions incognito \(purpose) 1".utf8)
    }

    func seal(_ plain: [UInt8], binding: [UInt8]) throws(StorageError) -> [UInt8] {
        try checked { () throws(CryptoFailure) in
            try records.seal(plain, authenticating: binding)
        }
    }

    func open(_ sealed: [UInt8], binding: [UInt8]) throws(StorageError) -> [UInt8] {
        try checked { () throws(CryptoFailure) in
            try records.open(sealed, authenticating: binding)
        }
    }

    func pseudonym(of bytes: [UInt8]) throws(StorageError) -> [UInt8] {
        try checked { () throws(CryptoFailure) in
            [UInt8](try pseudonyms.code(for: bytes).prefix(Self.pseudonymBytes))
        }
    }
}

/// Converts the library's failures to storage errors.
private func checked<Result>(_ work: () throws(CryptoFailure) -> Result) throws(StorageError)
    -> Result
{
    do {
        return try work()
    } catch .notAuthentic {
        throw StorageError(.corrupted, "a sealed record was changed, or is not of this key")
    } catch {
        throw StorageError(.failed, "\(error)", underlying: error)
    }
}
