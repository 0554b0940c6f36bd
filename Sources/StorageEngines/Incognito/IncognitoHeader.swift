import BrowserSessions

/// How an incognito partition is sealed and where its key is: the file `incognito.sealed`, and a
/// copy.
///
/// ```text
/// file := line "\n\n" line "\n"
/// line := "sealed" version cipher keyStore keyID check start checksum   (with spaces between)
/// ```
/// Both lines are the same, so a flipped bit loses nothing. `check` is derived from the key and the
/// key id, to distinguish a wrong key from damaged records. `start` is the
/// ``IncognitoKeyStore/keyScope`` in which the key was kept, or `-`. If all four lines are damaged or
/// gone, the partition cannot be opened, and stays.
struct IncognitoHeader: Equatable {
    static let fileNames = ["incognito.sealed", "incognito-copy.sealed"]
    static let version = 1
    private static let token = "sealed"

    var cipher: String
    var keyStore: String
    var id: IncognitoKeyID
    var check: String
    /// The key scope; `nil` if the key store always knows whether it has a key.
    var keyScope: String?

    init(
        _ sealing: StorageTraits.Sealing, _ id: IncognitoKeyID, _ sealer: any IncognitoSealer,
        keyScope: String?
    ) throws {
        self.keyScope = keyScope
        cipher = sealing.cipher
        keyStore = sealing.keyStore
        self.id = id
        check = try Self.check(id, sealer)
    }

    /// Returns whether the sealer has the key of this header.
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
        let body =
            "\(Self.token) \(Self.version) \(cipher) \(keyStore) \(id) \(check) \(keyScope ?? "-")"
        let line = "\(body) \(Self.checksum(body))"
        return [UInt8]("\(line)\n\n\(line)\n".utf8)
    }

    private static func checksum(_ body: String) -> UInt32 {
        CRC32C.masked(CRC32C.checksum([UInt8](body.utf8)))
    }

    /// Parses a header. Returns `nil` if both lines are damaged; throws for a newer version.
    init?(_ bytes: [UInt8]) throws(StorageError) {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard let space = line.lastIndex(of: " "),
                let sum = UInt32(line[line.index(after: space)...]),
                sum == Self.checksum(String(line[..<space]))
            else { continue }
            let fields = line.split(separator: " ").map(String.init)
            guard fields.count >= 2, fields[0] == Self.token, let version = Int(fields[1]) else {
                continue
            }
            guard version <= Self.version else {
                throw StorageError(
                    .incompatibleFormat,
                    "the incognito partition is sealed in a newer format than this one reads; update it"
                )
            }
            guard fields.count == 8, let id = IncognitoKeyID(fields[4]) else { continue }
            cipher = fields[2]
            keyStore = fields[3]
            self.id = id
            check = fields[5]
            keyScope = fields[6] == "-" ? nil : fields[6]
            return
        }
        return nil
    }
}
