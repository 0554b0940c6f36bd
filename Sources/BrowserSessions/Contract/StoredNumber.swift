/// A number that came from a disk or a server: only its range is known.
///
/// Counts, lengths and numbers in names of a store are read into this type and stay in it: a flipped bit or
/// an attacker can make it any number below ``limit``, and no calculation with it traps, because every
/// sum is checked.
public struct StoredNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// What every number is below: 2⁵⁶. A store that counts a million changes each second reaches it
    /// after 2,283 years, and LevelDB has no more bits for its own.
    public static let limit: UInt64 = 1 << 56

    public static let zero = StoredNumber(unchecked: 0)
    public static let one = StoredNumber(unchecked: 1)

    public let value: UInt64

    private init(unchecked value: UInt64) { self.value = value }

    /// `nil` for what is negative or not below ``limit``: the bytes are damaged, or not a number of ours.
    public init?(_ number: some BinaryInteger) {
        guard let value = UInt64(exactly: number), value < Self.limit else { return nil }
        self.init(unchecked: value)
    }

    /// `nil` for what is not the decimal form of such a number, with nothing around it. Leading zeros are
    /// allowed, as in names of files.
    public init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = UInt64(text)
        else { return nil }
        self.init(value)
    }

    /// The number as an offset in memory or in a file; it always fits.
    public var index: Int { Int(value) }

    /// `nil` if the sum is not below ``limit`` or negative.
    public func adding(_ other: some BinaryInteger) -> StoredNumber? {
        guard let other = Int64(exactly: other) else { return nil }
        let (sum, overflow) = Int64(value).addingReportingOverflow(other)
        return overflow ? nil : StoredNumber(sum)
    }

    /// `nil` if the sum is not below ``limit``.
    public func adding(_ other: StoredNumber) -> StoredNumber? {
        StoredNumber(value + other.value)
    }

    /// The next number, for what is written now.
    ///
    /// - Throws: ``StorageError/Code/tooLarge`` if there is none. No store gets there by counting: the
    ///   number was written into it.
    public func next(of thing: String) throws(StorageError) -> StoredNumber {
        if let next = adding(1) { return next }
        throw StorageError(
            .tooLarge,
            "\(thing) has the number \(self), behind which there is none; nothing can be written here. "
                + "What is there can be read: move it to a new store ('sessionctl migrate')")
    }

    public static func < (left: StoredNumber, right: StoredNumber) -> Bool {
        left.value < right.value
    }

    public var description: String { "\(value)" }
}
