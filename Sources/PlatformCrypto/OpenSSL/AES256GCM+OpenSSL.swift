#if !canImport(CryptoKit)
    internal import COpenSSL
    import Synchronization

    /// AES-256 in Galois/Counter Mode under one key. Any number of threads may use it.
    ///
    /// It keeps a copy of its key, and wipes that at the end.
    package final class AES256GCM: Sendable {
        private let sealing: Mutex<CipherContext>
        private let opening: Mutex<CipherContext>

        /// With a key of 32 bytes.
        package init(key: UnsafeRawBufferPointer) throws(CryptoFailure) {
            guard key.count == SealedForm.keyBytes else { throw .wrongKeyLength(key.count) }
            sealing = Mutex(
                try CipherContext(UInt(bitPattern: copenssl_cipher_new(key.baseAddress, 1))))
            opening = Mutex(
                try CipherContext(UInt(bitPattern: copenssl_cipher_new(key.baseAddress, 0))))
        }

        /// With a key that HKDF-SHA256 makes of another one for a purpose.
        package init(
            derivedFrom key: UnsafeRawBufferPointer, for info: [UInt8]
        ) throws(CryptoFailure) {
            sealing = Mutex(
                try CipherContext(
                    UInt(
                        bitPattern: copenssl_cipher_derived(
                            key.baseAddress, key.count, info, info.count, 1))))
            opening = Mutex(
                try CipherContext(
                    UInt(
                        bitPattern: copenssl_cipher_derived(
                            key.baseAddress, key.count, info, info.count, 0))))
        }

        /// Seals with a new random nonce, which the result begins with; its last 16 bytes are the tag.
        package func seal(_ plain: [UInt8], authenticating binding: [UInt8]) throws(CryptoFailure)
            -> [UInt8]
        {
            try sealing.withLock { cipher throws(CryptoFailure) in
                try cipher.seal(plain, nonce: nil, authenticating: binding)
            }
        }

        /// Seals with a nonce of 12 bytes that was never used with this key.
        package func seal(
            _ plain: [UInt8], nonce: [UInt8], authenticating binding: [UInt8]
        ) throws(CryptoFailure) -> [UInt8] {
            precondition(nonce.count == SealedForm.nonceBytes, "a nonce has 12 bytes")
            return try sealing.withLock { cipher throws(CryptoFailure) in
                try cipher.seal(plain, nonce: nonce, authenticating: binding)
            }
        }

        /// Opens what was sealed with this key and this binding; anything else is
        /// ``CryptoFailure/notAuthentic``.
        package func open(_ sealed: [UInt8], authenticating binding: [UInt8]) throws(CryptoFailure)
            -> [UInt8]
        {
            try opening.withLock { cipher throws(CryptoFailure) in
                try cipher.open(sealed, authenticating: binding)
            }
        }
    }
#endif
