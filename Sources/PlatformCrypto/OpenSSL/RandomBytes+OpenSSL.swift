#if !canImport(CryptoKit)
    internal import COpenSSL

    extension UnsafeMutableRawBufferPointer {
        /// Fills the memory from a random generator that is fit for keys.
        package func fillAtRandom() throws(CryptoFailure) {
            let start = baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard copenssl_random(start, count) == 1 else { throw .lastProblem() }
        }
    }
#endif
