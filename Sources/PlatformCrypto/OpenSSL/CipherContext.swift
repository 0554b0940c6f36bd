#if !canImport(CryptoKit)
    internal import COpenSSL

    /// A cipher in one direction with its key, which is wiped when it goes out of scope.
    struct CipherContext: ~Copyable {
        private let raw: OpaquePointer

        /// By its address, which has nothing to do any more with where its key was read.
        init(_ address: UInt) throws(CryptoFailure) {
            guard let raw = OpaquePointer(bitPattern: address) else { throw .lastProblem() }
            self.raw = raw
        }

        deinit { copenssl_cipher_free(raw) }

        /// Seals with that nonce, or with a random one.
        borrowing func seal(
            _ plain: [UInt8], nonce: [UInt8]?, authenticating binding: [UInt8]
        ) throws(CryptoFailure) -> [UInt8] {
            var isSealed = false
            let count = plain.count + SealedForm.overhead
            let sealed = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
                guard let start = buffer.baseAddress else { return }
                let ciphertext = start + SealedForm.nonceBytes
                if let nonce {
                    start.update(from: nonce, count: SealedForm.nonceBytes)
                } else {
                    guard copenssl_random(start, SealedForm.nonceBytes) == 1 else { return }
                }
                isSealed =
                    copenssl_seal(
                        raw, start, binding, binding.count, plain, plain.count, ciphertext,
                        ciphertext + plain.count) == 1
                written = isSealed ? count : 0
            }
            guard isSealed else { throw .lastProblem() }
            return sealed
        }

        borrowing func open(_ sealed: [UInt8], authenticating binding: [UInt8])
            throws(CryptoFailure) -> [UInt8]
        {
            let count = sealed.count - SealedForm.overhead
            guard count >= 0 else { throw .notAuthentic }
            var result = COPENSSL_FAILED
            let plain = sealed.withUnsafeBufferPointer { sealed in
                [UInt8](unsafeUninitializedCapacity: count) { plain, written in
                    guard let nonce = sealed.baseAddress else { return }
                    let ciphertext = nonce + SealedForm.nonceBytes
                    result = copenssl_open(
                        raw, nonce, binding, binding.count, ciphertext, count, ciphertext + count,
                        plain.baseAddress)
                    written = result == COPENSSL_OPENED ? count : 0
                }
            }
            switch result {
            case COPENSSL_OPENED: return plain
            case COPENSSL_NOT_AUTHENTIC: throw .notAuthentic
            default: throw .lastProblem()
            }
        }
    }
#endif
