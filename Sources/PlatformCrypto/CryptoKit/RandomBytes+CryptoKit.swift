#if canImport(CryptoKit)
    import CryptoKit

    extension [UInt8] {
        /// New bytes from a random generator that is fit for keys.
        package init(randomCount count: Int) throws(CryptoFailure) {
            self = SymmetricKey(size: SymmetricKeySize(bitCount: count * 8))
                .withUnsafeBytes { [UInt8]($0) }
        }
    }
#endif
