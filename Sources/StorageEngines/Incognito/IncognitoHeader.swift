import BrowserSessions

/// Says how an incognito side is sealed and where its key is: the file `incognito.sealed`, and a copy.
///
/// ```text
/// file := line "\n\n" line "\n"
/// line := "sealed" version cipher keyStore keyID check start checksum   (with spaces between)
/// ```
/// Both lines are the same, so a flipped bit loses nothing. `check` is what the key makes of the key
/// id, to know a wrong key from damaged records; `start` is ``IncognitoKeyStore/era`` when the key was
/// kept, or `-`. If all four are damaged or gone, the side cannot be opened, and stays.
struct IncognitoHeader: Equatable {
    static let fileNames = ["incognito.sealed", "incognito-copy.sealed"]
    static let version = 1
    private static let word = "sealed"

    var cipher: String
    var keyStore: String
    var id: IncognitoKeyID
    var check: String
    /// What the key cannot outlive; `nil` if its key store always knows.
    var era: String?

    init(
        _ sealing: StorageTraits.Sealing, _ id: IncognitoKeyID, _ sealer: any IncognitoSealer,
        era: String?
    ) throws {
        self.era = era
        cipher = sealing.cipher
        keyStore = sealing.keyStore
        self.id = id
        check = try Self.check(id, sealer)
    }

    /// Whether the sealer has the key of this header.
    func matches(_ sealer: any IncognitoSealer) throws -> Bool {
        try Self.check(id, sealer) == check
    }

    private static func check(_ id: IncognitoKeyID, _ sealer: any IncognitoSealer) throws -> String
    {
        let bytes = try sealer.pseudonym(of: [UInt8]("check \(id)".utf8))
        return bytes.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
    }

    var bytes: [UInt8] {
        let body = "\(Self.word) \(Self.version) \(cipher) \(keyStore) \(id) \(check) \(era ?? "-")"
        let line = "\(body) \(Self.checksum(body))"
        return [UInt8]("\(line)\n\n\(line)\n".utf8)
    }

    private static func checksum(_ body: String) -> UInt32 {
        CRC32C.masked(CRC32C.checksum([UInt8](body.utf8)))
    }

    /// `nil` if both lines are damaged. Throws if they are of a newer version.
    init?(_ bytes: [UInt8]) throws(StorageError) {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard let space = line.lastIndex(of: " "),
                let sum = UInt32(line[line.index(after: space)...]),
                sum == Self.checksum(String(line[..<space]))
            else { continue }
            let fields = line.split(separator: " ").map(String.init)
            guard fields.count >= 2, fields[0] == Self.word, let version = Int(fields[1]) else {
                continue
            }
            guard version <= Self.version else {
                throw StorageError(
                    .incompatibleFormat,
                    "the incognito side is sealed in a newer format than this one reads; update it")
            }
            guard fields.count == 8, let id = IncognitoKeyID(fields[4]) else { continue }
            cipher = fields[2]
            keyStore = fields[3]
            self.id = id
            check = fields[5]
            era = fields[6] == "-" ? nil : fields[6]
            return
        }
        return nil
    }
}
