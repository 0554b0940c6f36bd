#if !canImport(CryptoKit)
    internal import COpenSSL
    import Synchronization

    /// HMAC-SHA256 under one key. Any number of threads may use it.
    ///
    /// It keeps a copy of its key, and wipes that at the end.
    package final class HMACSHA256: Sendable {
        private let context: Mutex<Context>

        /// With a key of any length but 0.
        package init(key: UnsafeRawBufferPointer) throws(CryptoFailure) {
            guard !key.isEmpty else { throw .wrongKeyLength(0) }
            context = Mutex(
                try Context(UInt(bitPattern: copenssl_hmac_new(key.baseAddress, key.count))))
        }

        /// With a key that HKDF-SHA256 makes of another one for a purpose.
        package init(
            derivedFrom key: UnsafeRawBufferPointer, for info: [UInt8]
        ) throws(CryptoFailure) {
            context = Mutex(
                try Context(
                    UInt(
                        bitPattern: copenssl_hmac_derived(
                            key.baseAddress, key.count, info, info.count))))
        }

        /// The code of the bytes: 32 bytes.
        package func code(for bytes: [UInt8]) throws(CryptoFailure) -> [UInt8] {
            try context.withLock { context throws(CryptoFailure) in try context.code(for: bytes) }
        }

        private struct Context: ~Copyable {
            private let raw: OpaquePointer

            /// By its address, which has nothing to do any more with where its key was read.
            init(_ address: UInt) throws(CryptoFailure) {
                guard let raw = OpaquePointer(bitPattern: address) else { throw .lastProblem() }
                self.raw = raw
            }

            deinit { copenssl_hmac_free(raw) }

            borrowing func code(for bytes: [UInt8]) throws(CryptoFailure) -> [UInt8] {
                var isMade = false
                let code = [UInt8](unsafeUninitializedCapacity: SHA256.digestBytes) {
                    buffer, written in
                    isMade =
                        copenssl_hmac_code(raw, bytes, bytes.count, buffer.baseAddress) == 1
                    written = isMade ? SHA256.digestBytes : 0
                }
                guard isMade else { throw .lastProblem() }
                return code
            }
        }
    }
#endif
