#if canImport(CryptoKit)
    import CryptoKit

    /// HMAC-SHA256 under one key. Any number of threads may use it.
    ///
    /// CryptoKit wipes the key at the end.
    package final class HMACSHA256: Sendable {
        private let key: SymmetricKey

        /// With a key of any length but 0.
        package init(key: UnsafeRawBufferPointer) throws(CryptoFailure) {
            guard !key.isEmpty else { throw .wrongKeyLength(0) }
            self.key = SymmetricKey(data: key)
        }

        /// With a key that HKDF-SHA256 makes of another one for a purpose.
        package init(
            derivedFrom key: UnsafeRawBufferPointer, for info: [UInt8]
        ) throws(CryptoFailure) {
            self.key = HKDF<CryptoKit.SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key), info: info,
                outputByteCount: SealedForm.keyBytes)
        }

        /// The code of the bytes: 32 bytes.
        package func code(for bytes: [UInt8]) throws(CryptoFailure) -> [UInt8] {
            [UInt8](HMAC<CryptoKit.SHA256>.authenticationCode(for: bytes, using: key))
        }
    }
#endif
