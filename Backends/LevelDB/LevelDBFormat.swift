internal import BrowserSessions
internal import StorageEngines

/// The format of a store's `db` directory.
///
/// A record's key is the byte of its space and the key itself. A batch that begins with the removal
/// of ``mark``, a key that never exists, says that everything before it was durable when it was
/// written. ``LevelDBInspection`` needs that to distinguish damage from an unfinished write.
enum LevelDBFormat {
    static let directoryName = "db"
    static let version = 1
    static let mark: [UInt8] = [0x01]

    /// Lends a record's key, from the stack if it is short, as in most saves.
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

    /// All numbers of a sound database are below this: half of LevelDB's range, so that nothing it
    /// adds to one overflows. No database gets there by counting.
    private static let numberLimit: UInt64 = 1 << 55

    /// Returns `nil` if no sound database has such a number.
    static func number(_ value: UInt64) -> StoredNumber? {
        value < numberLimit ? StoredNumber(value) : nil
    }

    /// Returns the number of `000012.log`; `nil` if the name has another suffix or is not as
    /// LevelDB writes it.
    static func number(of name: String, _ suffix: String) -> StoredNumber? {
        guard name.hasSuffix(suffix),
            let number = StoredNumber(decimal: name.dropLast(suffix.count)),
            fileName(number, suffix) == name
        else { return nil }
        return Self.number(number.value)
    }

    static func fileName(_ number: StoredNumber, _ suffix: String) -> String {
        digits(number) + suffix
    }

    /// Returns at least six digits.
    static func digits(_ number: StoredNumber) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(6 - digits.count, 0)) + digits
    }
}
