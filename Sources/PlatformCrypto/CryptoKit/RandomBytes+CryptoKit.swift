#if canImport(CryptoKit)
    import CryptoKit

    extension UnsafeMutableRawBufferPointer {
        /// Fills the memory from a random generator that is fit for keys.
        package func fillAtRandom() throws(CryptoFailure) {
            SymmetricKey(size: SymmetricKeySize(bitCount: count * 8))
                .withUnsafeBytes { copyMemory(from: $0) }
        }
    }
#endif
