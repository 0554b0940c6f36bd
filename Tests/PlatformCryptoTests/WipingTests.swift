#if os(Linux)
    import Foundation
    import Glibc
    import PlatformCrypto
    import TestSupport
    import Expectations

    /// Looks for a key in the memory of this process, with and without somebody who holds it.
    struct WipingTests {
        static let key = [UInt8](100..<132)
        static let info = [UInt8]("wiping".utf8)
        /// What HKDF makes of the two, each byte masked, so that the search does not find itself.
        static let mask: UInt8 = 0x5a
        static let masked = """
            17c65900dcfed3dde97ff64ad6ba1cee \
            ff2462657d097279c0e7e926e54a4bcf
            """

        // In processes of their own: other tests move memory about while it is searched.
        @Test func noKeyOfACipherStaysBehind() async {
            await #expect(processExitsWith: .success) { try Self.search("cipher") }
        }

        @Test func noKeyOfAnHMACStaysBehind() async {
            await #expect(processExitsWith: .success) { try Self.search("hmac") }
        }

        private static func search(_ user: String) throws {
            let search = try MemorySearch([UInt8](hexadecimal: masked), mask: mask)
            expect(try search.count() == 0)
            do {
                let holder = try holder(user)
                expect(try search.count() > 0, "the search must see what is there")
                withExtendedLifetime(holder) {}
            }
            expect(try search.count() == 0)
        }

        /// Somebody who has used the key.
        private static func holder(_ user: String) throws -> any Sendable {
            guard user == "cipher" else {
                let hmac = try key.withUnsafeBytes { try HMACSHA256(derivedFrom: $0, for: info) }
                _ = try hmac.code(for: [1, 2, 3])
                return hmac
            }
            let cipher = try key.withUnsafeBytes { try AES256GCM(derivedFrom: $0, for: info) }
            let sealed = try cipher.seal([1, 2, 3], authenticating: [4])
            expect(try cipher.open(sealed, authenticating: [4]) == [1, 2, 3])
            return cipher
        }
    }
#endif
