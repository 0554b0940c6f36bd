/// A number from a disk or a server, with a known range and no other guarantee.
///
/// Counts, lengths and numbers in names of a store are read into this type and stay in it. A
/// flipped bit or an attacker can turn such a number into any value below 2⁵⁶. No calculation
/// with it traps, because every sum is checked.
public struct StoredNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The exclusive upper bound of all values: 2⁵⁶. A store that counts a million changes each
    /// second reaches it after 2,283 years, and LevelDB has no more bits for its own numbers.
    package static let limit: UInt64 = 1 << 56

    /// The smallest stored number; as a sequence number, it means that nothing was saved.
    public static let zero = StoredNumber(unchecked: 0)
    /// The number at which counting begins.
    package static let one = StoredNumber(unchecked: 1)

    /// The number, which is always below 2⁵⁶.
    public let value: UInt64

    private init(unchecked value: UInt64) { self.value = value }

    /// Creates a stored number; `nil` if the number is negative or not below 2⁵⁶. Such a
    /// number means that the bytes are damaged, or from another source.
    public init?(_ number: some BinaryInteger) {
        guard let value = UInt64(exactly: number), value < Self.limit else { return nil }
        self.init(unchecked: value)
    }

    /// Creates a stored number from decimal text; `nil` if the text is anything else. Leading zeros
    /// are allowed, as in file names.
    public init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = UInt64(text)
        else { return nil }
        self.init(value)
    }

    /// The number as an offset in memory or in a file. It always fits.
    public var index: Int { Int(value) }

    /// Returns the sum; `nil` if it is negative or not below 2⁵⁶.
    public func adding(_ other: some BinaryInteger) -> StoredNumber? {
        guard let other = Int64(exactly: other) else { return nil }
        let (sum, overflow) = Int64(value).addingReportingOverflow(other)
        return overflow ? nil : StoredNumber(sum)
    }

    /// Returns the sum; `nil` if it is not below 2⁵⁶.
    public func adding(_ other: StoredNumber) -> StoredNumber? {
        StoredNumber(value + other.value)
    }

    public static func < (left: StoredNumber, right: StoredNumber) -> Bool {
        left.value < right.value
    }

    public var description: String { "\(value)" }
}
