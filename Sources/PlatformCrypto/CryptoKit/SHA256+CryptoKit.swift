#if canImport(CryptoKit)
    import CryptoKit

    /// SHA-256 of bytes that come one after the other. A copy goes on for itself.
    package struct SHA256 {
        package static let digestBytes = 32
        private var state = CryptoKit.SHA256()

        package init() {}

        /// The digest of bytes that are there at once.
        package static func digest(of bytes: [UInt8]) -> [UInt8] {
            [UInt8](CryptoKit.SHA256.hash(data: bytes))
        }

        package mutating func update(_ bytes: [UInt8]) { state.update(data: bytes) }

        /// The digest of the bytes so far: 32 bytes. More can be added afterwards.
        package func digest() -> [UInt8] { [UInt8](state.finalize()) }
    }
#endif
