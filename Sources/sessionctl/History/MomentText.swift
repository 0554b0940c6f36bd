import BrowserSessions
import CommandLineSupport
import Foundation

/// Times, as people and programs read them.
enum MomentText {
    /// Returns a time such as `today 14:00`, `yesterday 9:12` or `2026-11-25 9:12`.
    ///
    /// - Parameter now: what is today.
    static func text(
        _ time: Timestamp, now: Timestamp = .now(), calendar: Calendar = .current
    ) -> String {
        let (date, today) = (date(time), date(now))
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        let clock = "\(two(parts.hour)):\(two(parts.minute))"
        if calendar.isDate(date, inSameDayAs: today) { return "today \(clock)" }
        if let yesterday = calendar.date(byAdding: .day, value: -1, to: today),
            calendar.isDate(date, inSameDayAs: yesterday)
        {
            return "yesterday \(clock)"
        }
        return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) \(clock)"
    }

    /// Returns a time in ISO 8601 with milliseconds; `nil` if it was not recorded.
    static func iso(_ time: Timestamp) -> String? {
        guard time != .unknown else { return nil }
        return date(time).formatted(
            Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func two(_ number: Int?) -> String {
        let number = number ?? 0
        return number < 10 ? "0\(number)" : "\(number)"
    }

    private static func date(_ time: Timestamp) -> Date {
        Date(timeIntervalSince1970: Double(time.microseconds) / 1_000_000)
    }
}
