import BrowserSessions
import Expectations
import IncognitoEncryption
import StorageEngines
import TestSupport

/// Records that earlier versions sealed, with another crypto library. They open for ever.
struct OldRecordsTests {
    let sealer: any IncognitoSealer

    init() throws {
        sealer = try AESGCMCipher().sealer(
            key: SecretBytes(copying: (0..<32).map { UInt8($0 * 7 + 3) }))
    }

    struct Record: Sendable {
        var plain: [UInt8]
        var binding: [UInt8]
        var sealed: String
    }

    static let records = [
        Record(
            plain: [],
            binding: [],
            sealed: """
                9ff79cfa162e985dd3cc2f2155facc7dd6e2ff242f26666f57ee0b35
                """),
        Record(
            plain: [],
            binding: [UInt8]("only bound".utf8),
            sealed: """
                f132d0e54c81a9cfae238e56793cd4c502680d6a407991b94a7510cf
                """),
        Record(
            plain: [0],
            binding: [],
            sealed: """
                54bb0a9b5efa9c4d287865c97e04a68cea7b6dda215de910ddf07a1335
                """),
        Record(
            plain: [UInt8]("https://example.org/ — what nobody is to read".utf8),
            binding: [UInt8]("where it belongs".utf8),
            sealed: """
                92321f2c11109825d426b69f62a9bf90da0cc8e66b8a99a28f790ecd879452d7 \
                a40a6a0220005ad3775fde1614cd02f70fbedaa10f7a6a72fb1d588f91b31487 \
                57bd51ea2db43177510021
                """),
        Record(
            plain: [UInt8](0..<100),
            binding: [UInt8](200..<217),
            sealed: """
                77452c2f1f44a890dc95ac33db05c5a6c70cba7515e24a8c5c2e8cd6f1668d18 \
                eed1efefef43d2746d051dd04e1396250b8ff3bef625fe4ba8b5cde2a848f1e1 \
                433019c2ea079feaf0be3be3d0f0cbcdec93cb34dab67e40bf661021e3c01531 \
                4e682b3e656c6fdc332608c2acf0b531bc186bfcff1d8a5383ca3b63195f0693
                """),
    ]

    @Test(arguments: records)
    func theyOpen(record: Record) throws {
        let sealed = try [UInt8](hexadecimal: record.sealed)
        expect(try sealer.open(sealed, binding: record.binding) == record.plain)
    }

    @Test(arguments: [
        ([UInt8]("".utf8), "04ed39e9a7a463101cfb12ff21129a74"),
        ([UInt8]("check".utf8), "d6b44431519334cbdf8866d7d428de7b"),
        ([UInt8]("where it belongs".utf8), "014356445cc3a3a310b886fd87377346"),
        ([UInt8](0...255).repeated(to: 4099), "dfa89f4bb2bb96186a367f681dfd6221"),
    ])
    func theirNamesAreTheSame(bytes: [UInt8], pseudonym: String) throws {
        expect(try sealer.pseudonym(of: bytes) == [UInt8](hexadecimal: pseudonym))
    }
}
