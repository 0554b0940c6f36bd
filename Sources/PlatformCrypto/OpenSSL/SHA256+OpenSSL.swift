#if !canImport(CryptoKit)
    internal import COpenSSL

    /// SHA-256 of bytes that come one after the other. A copy goes on for itself.
    ///
    /// It throws nothing: where the library has no SHA-256 or no memory, the program stops and says
    /// so, as Swift's own types do without memory.
    package struct SHA256 {
        package static let digestBytes = 32
        private var state = State()

        package init() {}

        /// The digest of bytes that are there at once.
        package static func digest(of bytes: [UInt8]) -> [UInt8] {
            var hash = SHA256()
            hash.update(bytes)
            return hash.digest()
        }

        package mutating func update(_ bytes: [UInt8]) {
            if !isKnownUniquelyReferenced(&state) { state = State(copying: state) }
            state.update(bytes)
        }

        /// The digest of the bytes so far: 32 bytes. More can be added afterwards.
        package func digest() -> [UInt8] { State(copying: state).finish() }

        private final class State {
            private let raw: OpaquePointer

            init() { raw = Self.checked(copenssl_sha256_new()) }

            init(copying other: State) { raw = Self.checked(copenssl_sha256_copy(other.raw)) }

            deinit { copenssl_sha256_free(raw) }

            func update(_ bytes: [UInt8]) {
                Self.check(copenssl_sha256_update(raw, bytes, bytes.count))
            }

            func finish() -> [UInt8] {
                [UInt8](unsafeUninitializedCapacity: SHA256.digestBytes) { digest, written in
                    Self.check(copenssl_sha256_finish(raw, digest.baseAddress))
                    written = SHA256.digestBytes
                }
            }

            private static func checked(_ raw: OpaquePointer?) -> OpaquePointer {
                guard let raw else { fatalError("SHA-256: \(CryptoFailure.lastProblem())") }
                return raw
            }

            private static func check(_ result: Int32) {
                guard result == 1 else { fatalError("SHA-256: \(CryptoFailure.lastProblem())") }
            }
        }
    }
#endif
