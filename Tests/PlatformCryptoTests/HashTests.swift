import Expectations
import PlatformCrypto
import TestSupport

#if canImport(COpenSSL)
    import COpenSSL
#endif

struct HashTests {
    /// From FIPS 180-2: texts, how often each is repeated, and their digests. Bytes would be printed.
    static let digests = [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "a", 1_000_000,
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test(arguments: digests)
    func sha256GivesTheKnownAnswers(text: String, times: Int, digest: String) throws {
        let bytes = [UInt8](String(repeating: text, count: times).utf8)
        let digest = try [UInt8](hexadecimal: digest)
        expect(SHA256.digest(of: bytes), is: digest)
        // The same in three parts, one of them empty.
        var hash = SHA256()
        hash.update(Array(bytes.prefix(bytes.count / 3)))
        hash.update([])
        hash.update(Array(bytes.dropFirst(bytes.count / 3)))
        expect(hash.digest(), is: digest)
    }

    @Test func aCopyOfAHashGoesOnForItself() {
        var hash = SHA256()
        hash.update([1])
        let early = hash
        var other = hash
        hash.update([2])
        other.update([3])
        expect(early.digest(), is: SHA256.digest(of: [1]))
        expect(hash.digest(), is: SHA256.digest(of: [1, 2]))
        expect(other.digest(), is: SHA256.digest(of: [1, 3]))
        hash.update([4])
        expect(hash.digest(), is: SHA256.digest(of: [1, 2, 4]))
    }

    /// From RFC 4231; the fifth has a shortened code.
    static let codes = [
        (
            [UInt8](repeating: 0x0b, count: 20), [UInt8]("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            [UInt8]("Jefe".utf8), [UInt8]("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](1...25), [UInt8](repeating: 0xcd, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            [UInt8](repeating: 0x0c, count: 20), [UInt8]("Test With Truncation".utf8),
            "a3b6167473100ee06e0c796c2955552b"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            [UInt8]("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            [UInt8](
                """
                This is a test using a larger than block-size key and a larger than block-size \
                data. The key needs to be hashed before being used by the HMAC algorithm.
                """.utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test(arguments: codes)
    func hmacGivesTheKnownAnswers(key: [UInt8], bytes: [UInt8], code: String) throws {
        let code = try [UInt8](hexadecimal: code)
        let hmac = try key.withUnsafeBytes { try HMACSHA256(key: $0) }
        // Twice, because the context is used again and again.
        for _ in 1...2 {
            expect(try Array(hmac.code(for: bytes).prefix(code.count)) == code)
        }
        expect(try hmac.code(for: []) != hmac.code(for: bytes))
    }

    @Test func hmacNeedsAKey() {
        expect(throws: CryptoFailure.wrongKeyLength(0)) {
            try HMACSHA256(key: UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    private func random(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try $0.fillAtRandom() }
        return bytes
    }

    @Test func randomBytesAreRandom() throws {
        let keys = try Set((0..<1000).map { _ in try random(32) })
        expect(keys.count, is: 1000)
        expect(try random(0) == [])
        // Every bit is set in some and clear in some.
        let ones = keys.reduce([UInt8](repeating: 0, count: 32)) { zip($0, $1).map { $0 | $1 } }
        let zeros = keys.reduce([UInt8](repeating: 255, count: 32)) { zip($0, $1).map { $0 & $1 } }
        expect(ones, is: [UInt8](repeating: 255, count: 32))
        expect(zeros, is: [UInt8](repeating: 0, count: 32))
    }

    #if canImport(COpenSSL)
        /// From RFC 5869: the key, the salt, the information and what is derived.
        static let derivations = [
            (
                "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", [UInt8](0...12),
                [UInt8](0xf0...0xf9),
                """
                3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b88718 \
                5865
                """
            ),
            (
                """
                000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627 \
                28292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f
                """,
                [UInt8](0x60...0xaf), [UInt8](0xb0...0xff),
                """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac78272 \
                71cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f \
                1d87
                """
            ),
            (
                "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", [UInt8](), [UInt8](),
                """
                8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a \
                96c8
                """
            ),
        ]

        @Test(arguments: derivations)
        func hkdfGivesTheKnownAnswers(
            key: String, salt: [UInt8], info: [UInt8], derived: String
        ) throws {
            let key = try [UInt8](hexadecimal: key)
            let expected = try [UInt8](hexadecimal: derived)
            var derived = [UInt8](repeating: 0, count: expected.count)
            let result = copenssl_hkdf(
                key, key.count, salt, salt.count, info, info.count, &derived, derived.count)
            expect(result, is: 1)
            expect(derived, is: expected)
        }
    #endif
}
