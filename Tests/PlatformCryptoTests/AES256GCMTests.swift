import Expectations
import PlatformCrypto
import TestSupport

struct AES256GCMTests {
    /// A known answer, in hexadecimal digits.
    struct Vector: Sendable {
        var key: String
        var nonce: String
        var plain = ""
        var binding = ""
        var ciphertext = ""
        var tag: String
    }

    /// From NIST's `gcmEncryptExtIV256` and, the long ones, from the paper that proposed the mode.
    static let vectors = [
        Vector(
            key: "b52c505a37d78eda5dd34f20c22540ea1b58963cf8e5bf8ffa85f9f2492505b4",
            nonce: "516c33929df5a3284ff463d7", tag: "bdc1ac884d332457a1d2664f168c76f0"),
        Vector(
            key: "78dc4e0aaf52d935c3c01eea57428f00ca1fd475f5da86a49c8dd73d68c8e223",
            nonce: "d79cf22d504cc793c3fb6c8a", binding: "b96baa8c1c75a671bfb2d08d06be5f36",
            tag: "3e5d486aa2e30b22e040b85723a06e76"),
        Vector(
            key: "31bdadd96698c204aa9ce1448ea94ae1fb4a9a0b3c9d773b51bb1822666b8f22",
            nonce: "0d18e06c7c725ac9e362e1ce", plain: "2db5168e932556f8089a0622981d017d",
            ciphertext: "fa4362189661d163fcd6a56d8bf0405a",
            tag: "d636ac1bbedd5cc3ee727dc2ab4a9489"),
        Vector(
            key: "92e11dcdaa866f5ce790fd24501f92509aacf4cb8b1339d50c9c1240935dd08b",
            nonce: "ac93a1a6145299bde902f21a", plain: "2d71bcfa914e4ac045b2aa60955fad24",
            binding: "1e0889016f67601c8ebea4943bc23ad6",
            ciphertext: "8995ae2e6df3dbf96fac7b7137bae67f",
            tag: "eca5aa77d51d4a0a14d9c51e1da474ab"),
        Vector(
            key: String(repeating: "0", count: 64), nonce: String(repeating: "0", count: 24),
            plain: String(repeating: "0", count: 32),
            ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plain: """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72 \
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255
                """,
            ciphertext: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa \
                8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad
                """,
            tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Vector(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plain: """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72 \
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
                """,
            binding: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            ciphertext: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa \
                8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
                """,
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test(arguments: vectors)
    func itGivesTheKnownAnswers(vector: Vector) throws {
        let cipher = try [UInt8](hexadecimal: vector.key).withUnsafeBytes {
            try AES256GCM(key: $0)
        }
        let plain = try [UInt8](hexadecimal: vector.plain)
        let binding = try [UInt8](hexadecimal: vector.binding)
        let sealed = try [UInt8](
            hexadecimal: vector.nonce + vector.ciphertext + vector.tag)
        let nonce = try [UInt8](hexadecimal: vector.nonce)
        // Twice, because the cipher is used again and again.
        for _ in 1...2 {
            expect(try cipher.seal(plain, nonce: nonce, authenticating: binding) == sealed)
            expect(try cipher.open(sealed, authenticating: binding) == plain)
        }
    }

    @Test(arguments: [0, 16, 31, 33])
    func keysOfAnotherLengthAreRefused(count: Int) {
        expect(throws: CryptoFailure.wrongKeyLength(count)) {
            try [UInt8](repeating: 1, count: count).withUnsafeBytes { try AES256GCM(key: $0) }
        }
    }
}
