internal import BrowserSessions
internal import StorageEngines

/// What a store's `db` directory looks like.
///
/// A record's key is the byte of its space and the key itself. A batch that begins with the
/// removal of ``mark``, a key that never exists, says that everything before it was durable when
/// it was written; ``LevelDBInspection`` needs that to tell damage from an unfinished write.
enum LevelDBFormat {
    static let directoryName = "db"
    static let version = 1
    static let mark: [UInt8] = [0x01]

    /// Lends a record's key, from the stack where it is short: most saves are short too.
    static func withKey<Result, Failure: Error>(
        _ key: [UInt8], in space: KeySpace,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeTemporaryAllocation(byteCount: key.count + 1, alignment: 1) {
            buffer throws(Failure) in
            buffer[0] = space.rawValue
            UnsafeMutableRawBufferPointer(rebasing: buffer[1...]).copyBytes(from: key)
            return try body(UnsafeRawBufferPointer(buffer))
        }
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
