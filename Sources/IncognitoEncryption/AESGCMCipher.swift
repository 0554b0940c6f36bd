public import BrowserSessions
import Crypto
import Foundation

/// AES-256 in Galois/Counter Mode, with pseudonyms by HMAC-SHA256.
///
/// The key of a side is used for neither; HKDF-SHA256 derives one for each. Every record gets a
/// random 96-bit nonce of its own. Random nonces stay unique up to 2³² records under one key (NIST
/// SP 800-38D: a repetition is then as likely as 1 in 2³²): at a thousand saved records a second
/// that is 50 days of one incognito side, and the next side has a new key.
public struct AESGCMCipher: IncognitoCipher {
    public var name: String { "AES-256-GCM" }
    private static let keyBytes = 32

    public init() {}

    public func makeKey() -> [UInt8] { SymmetricKey(size: .bits256).withUnsafeBytes([UInt8].init) }

    public func sealer(key: [UInt8]) throws(StorageError) -> any IncognitoSealer {
        guard key.count == Self.keyBytes else {
            throw StorageError(
                .keyUnavailable, "a key of \(name) has \(Self.keyBytes) bytes, not \(key.count)")
        }
        return AESGCMSealer(SymmetricKey(data: key))
    }
}

private struct AESGCMSealer: IncognitoSealer {
    private let sealing: SymmetricKey
    private let naming: SymmetricKey

    /// What a sealed record has beyond its plain bytes: nonce and tag.
    private static let overhead = 12 + 16
    private static let pseudonymBytes = 16

    init(_ key: SymmetricKey) {
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Data("browser-sessions incognito \(purpose) 1".utf8),
                outputByteCount: 32)
        }
        sealing = derived("records")
        naming = derived("pseudonyms")
    }

    func seal(_ plain: [UInt8], binding: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(
            plain, using: sealing, nonce: AES.GCM.Nonce(), authenticating: binding)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(plain.count + Self.overhead)
        bytes.append(contentsOf: box.nonce)
        bytes.append(contentsOf: box.ciphertext)
        bytes.append(contentsOf: box.tag)
        return bytes
    }

    func open(_ sealed: [UInt8], binding: [UInt8]) throws -> [UInt8] {
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            return [UInt8](try AES.GCM.open(box, using: sealing, authenticating: binding))
        } catch {
            throw StorageError(.corrupted, "a sealed record was changed, or is not of this key")
        }
    }

    func pseudonym(of bytes: [UInt8]) -> [UInt8] {
        [UInt8](
            HMAC<SHA256>.authenticationCode(for: bytes, using: naming).prefix(Self.pseudonymBytes))
    }
}
