internal import BrowserSessions

/// What a store's `db` directory looks like.
///
/// A record's key is the byte of its space and the key itself. A batch that begins with the
/// removal of ``mark``, a key that never exists, says that everything before it was durable when
/// it was written; ``LevelDBInspection`` needs that to tell damage from an unfinished write.
enum LevelDBFormat {
    static let directoryName = "db"
    static let version = 1
    static let mark: [UInt8] = [0x01]

    static func key(_ key: [UInt8], in space: KeySpace) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(key.count + 1)
        bytes.append(space.rawValue)
        bytes.append(contentsOf: key)
        return bytes
    }

    /// The number of `000012.log`, if the name has that suffix.
    static func number(of name: String, _ suffix: String) -> UInt64? {
        name.hasSuffix(suffix) ? UInt64(name.dropLast(suffix.count)) : nil
    }

    static func fileName(_ number: UInt64, _ suffix: String) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(6 - digits.count, 0)) + digits + suffix
    }
}
