#if canImport(CryptoKit)
    import CryptoKit

    /// AES-256 in Galois/Counter Mode under one key. Any number of threads may use it.
    ///
    /// CryptoKit wipes the key at the end.
    package final class AES256GCM: Sendable {
        private let key: SymmetricKey

        /// With a key of 32 bytes.
        package init(key: UnsafeRawBufferPointer) throws(CryptoFailure) {
            guard key.count == SealedForm.keyBytes else { throw .wrongKeyLength(key.count) }
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

        /// Seals with a new random nonce, which the result begins with; its last 16 bytes are the tag.
        package func seal(_ plain: [UInt8], authenticating binding: [UInt8]) throws(CryptoFailure)
            -> [UInt8]
        {
            try seal(plain, AES.GCM.Nonce(), binding)
        }

        /// Seals with a nonce of 12 bytes that was never used with this key.
        package func seal(
            _ plain: [UInt8], nonce: [UInt8], authenticating binding: [UInt8]
        ) throws(CryptoFailure) -> [UInt8] {
            precondition(nonce.count == SealedForm.nonceBytes, "a nonce has 12 bytes")
            do {
                return try seal(plain, AES.GCM.Nonce(data: nonce), binding)
            } catch let failure as CryptoFailure {
                throw failure
            } catch {
                throw .library("CryptoKit: \(error)")
            }
        }

        private func seal(_ plain: [UInt8], _ nonce: AES.GCM.Nonce, _ binding: [UInt8])
            throws(CryptoFailure) -> [UInt8]
        {
            do {
                let box = try AES.GCM.seal(
                    plain, using: key, nonce: nonce, authenticating: binding)
                var sealed: [UInt8] = []
                sealed.reserveCapacity(plain.count + SealedForm.overhead)
                sealed.append(contentsOf: box.nonce)
                sealed.append(contentsOf: box.ciphertext)
                sealed.append(contentsOf: box.tag)
                return sealed
            } catch {
                throw .library("CryptoKit: \(error)")
            }
        }

        /// Opens what was sealed with this key and this binding; anything else is
        /// ``CryptoFailure/notAuthentic``.
        package func open(_ sealed: [UInt8], authenticating binding: [UInt8]) throws(CryptoFailure)
            -> [UInt8]
        {
            do {
                let box = try AES.GCM.SealedBox(combined: sealed)
                return [UInt8](try AES.GCM.open(box, using: key, authenticating: binding))
            } catch {
                throw .notAuthentic
            }
        }
    }
#endif
