#if !canImport(CryptoKit)
    internal import COpenSSL

    extension CryptoFailure {
        /// Why the last call of this thread failed; asked once.
        static func lastProblem() -> CryptoFailure {
            let text = [UInt8](unsafeUninitializedCapacity: 256) { buffer, written in
                buffer.withMemoryRebound(to: CChar.self) { characters in
                    copenssl_problem(characters.baseAddress, characters.count)
                }
                written = buffer.firstIndex(of: 0) ?? 0
            }
            return .library("OpenSSL: " + String(decoding: text, as: UTF8.self))
        }
    }
#endif
