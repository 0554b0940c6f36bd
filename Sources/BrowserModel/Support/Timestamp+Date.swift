public import BrowserSessions

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Timestamp {
    /// Creates a timestamp from a date, to the nearest microsecond. Dates over 292,000 years away
    /// become the farthest timestamp; the date 1970-01-01T00:00:00Z is ``unknown``.
    public init(_ date: Date) {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
        let isNumber = !microseconds.isNaN
        self.init(
            microseconds: Int64(exactly: microseconds)
                ?? (isNumber ? (microseconds < 0 ? .min : .max) : 0))
    }
}

extension Date {
    /// Creates a date from a timestamp. ``Timestamp/unknown`` becomes 1970: do not display it.
    ///
    /// A date counts in fractional seconds: near the present it is exact to a microsecond.
    public init(_ timestamp: Timestamp) {
        self.init(timeIntervalSince1970: Double(timestamp.microseconds) / 1_000_000)
    }
}
