#if !canImport(CryptoKit)
    internal import COpenSSL

    extension [UInt8] {
        /// New bytes from a random generator that is fit for keys.
        package init(randomCount count: Int) throws(CryptoFailure) {
            var isFilled = false
            self.init(unsafeUninitializedCapacity: count) { buffer, written in
                isFilled = copenssl_random(buffer.baseAddress, count) == 1
                written = isFilled ? count : 0
            }
            guard isFilled else { throw .lastProblem() }
        }
    }
#endif
