/// A time in microseconds since 1970-01-01T00:00:00Z, not counting leap seconds.
///
/// Any 64-bit value is legal. ``unknown`` (the epoch itself) stands for a time that the source of
/// the data did not record.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// The number of microseconds since 1970-01-01T00:00:00Z; negative for earlier times.
    public var microseconds: Int64

    /// Creates a time from a number of microseconds since 1970-01-01T00:00:00Z.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The time was not recorded.
    public static let unknown = Timestamp(microseconds: 0)

    public static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }
}
