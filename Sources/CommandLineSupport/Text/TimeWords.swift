package import BrowserSessions
package import Foundation

/// Times as people say them, seen from one moment in one time zone.
package struct TimeWords {
    private let now: Timestamp
    private let calendar: Calendar

    /// - Parameters:
    ///   - now: the moment from which the others are seen.
    ///   - zone: the time zone of the days and hours.
    package init(now: Timestamp = .now(), zone: TimeZone = .current) {
        self.now = now
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// Returns `today 14:00`, `yesterday 14:00`, `Tuesday 14:00`, `3 Nov 14:00`, or `3 Nov 2025`; empty
    /// if the time is unknown, and the time as in ``BrowserSessions/Timestamp/iso`` if it is in no
    /// calendar of people.
    package func words(_ time: Timestamp) -> String {
        if time == .unknown { return "" }
        guard Self.years.contains(time), Self.years.contains(now) else { return time.iso ?? "" }
        let moment = parts(time)
        let clock = [moment.hour, moment.minute].map { Timestamp.digits($0 ?? 0, 2) }
            .joined(separator: ":")
        switch days(to: time) {
        case 0: return "today \(clock)"
        case 1: return "yesterday \(clock)"
        case 2..<7: return "\(Self.weekdays[((moment.weekday ?? 1) - 1) % 7]) \(clock)"
        default: break
        }
        let day = "\(moment.day ?? 1) \(Self.months[((moment.month ?? 1) - 1) % 12])"
        return moment.year == parts(now).year ? "\(day) \(clock)" : "\(day) \(moment.year ?? 0)"
    }

    /// Returns how many midnights ago a time is.
    private func days(to time: Timestamp) -> Int {
        let (then, now) = (
            calendar.startOfDay(for: date(time)), calendar.startOfDay(for: date(now))
        )
        return calendar.dateComponents([.day], from: then, to: now).day ?? .max
    }

    private func parts(_ time: Timestamp) -> DateComponents {
        calendar.dateComponents([.year, .month, .day, .hour, .minute, .weekday], from: date(time))
    }

    private func date(_ time: Timestamp) -> Date {
        Date(timeIntervalSince1970: Double(time.microseconds / 1_000_000))
    }

    /// The years 1 to 9999.
    private static let years =
        Timestamp(
            microseconds: -62_135_596_800_000_000)...Timestamp(
            microseconds: 253_402_300_799_000_000)
    private static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension Timestamp {
    /// The exact time as ISO 8601 writes it, in UTC: `2026-11-27T14:00:00.000001Z`. Years of more than
    /// four digits and those before year 0 have a sign. `nil` if the time is unknown.
    package var iso: String? {
        if self == .unknown { return nil }
        let second = microseconds.floorDivided(by: 1_000_000)
        let (day, ofDay) = second.quotient.floorDivided(by: 86_400)
        let date = Self.date(ofDay: day)
        let sign = date.year < 0 ? "-" : date.year > 9999 ? "+" : ""
        let time = [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map { Self.digits(Int($0), 2) }
        return sign + Self.digits(abs(date.year), 4) + "-\(Self.digits(date.month, 2))-"
            + "\(Self.digits(date.day, 2))T\(time.joined(separator: ":"))"
            + ".\(Self.digits(Int(second.remainder), 6))Z"
    }

    fileprivate static func digits(_ number: Int, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// Returns the date of a day in the Gregorian calendar, counted from 1970-01-01.
    private static func date(ofDay day: Int64) -> (year: Int, month: Int, day: Int) {
        // Counted from 0000-03-01, so that a leap day ends a year, in cycles of 400 years.
        let (cycle, rest) = (day + 719_468).floorDivided(by: 146_097)
        let years = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365
        let ofYear = rest - (365 * years + years / 4 - years / 100)
        let month = (5 * ofYear + 2) / 153
        let isNext = month >= 10
        return (
            Int(years + cycle * 400) + (isNext ? 1 : 0), Int(isNext ? month - 9 : month + 3),
            Int(ofYear - (153 * month + 2) / 5 + 1)
        )
    }
}

extension Int64 {
    /// Divides, so that the remainder is never negative.
    fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
