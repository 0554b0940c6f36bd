import Foundation

/// Formatters of numbers for people, with three significant digits and a unit.
enum Figures {
    /// The sign for a missing figure.
    static let none = "–"

    /// Formats `152 µs`, `1.52 ms`, or `2.1 s`.
    static func time(_ microseconds: Double) -> String {
        guard microseconds.isFinite else { return none }
        let unit = timeUnit(microseconds)
        return "\(digits(microseconds / unit.size)) \(unit.name)"
    }

    /// Formats `148–156 µs`, both ends in the unit of the upper one.
    static func times(_ interval: ClosedRange<Double>) -> String {
        let unit = timeUnit(interval.upperBound)
        let lower = digits(interval.lowerBound / unit.size)
        let upper = digits(interval.upperBound / unit.size)
        return "\(lower)–\(upper) \(unit.name)"
    }

    private static func timeUnit(_ microseconds: Double) -> (name: String, size: Double) {
        switch abs(microseconds) {
        case 999_500...: ("s", 1_000_000)
        case 999.5...: ("ms", 1000)
        default: ("µs", 1)
        }
    }

    /// Formats decimal units: `217 B`, `10.4 kB`, or `2.83 MB`.
    static func bytes(_ count: Int) -> String {
        let value = Double(count)
        return switch value {
        case 999_500_000...: "\(digits(value / 1e9)) GB"
        case 999_500...: "\(digits(value / 1e6)) MB"
        case 1000...: "\(digits(value / 1000)) kB"
        default: "\(count) B"
        }
    }

    /// Formats a size that a person chose, exactly: `10 KiB`, `10 kB`, `1,234 B`.
    static func chosenBytes(_ count: Int) -> String {
        switch count {
        case let count where count > 0 && count.isMultiple(of: 1 << 20): "\(count >> 20) MiB"
        case let count where count > 0 && count.isMultiple(of: 1 << 10): "\(count >> 10) KiB"
        case let count where count > 0 && count.isMultiple(of: 1000): "\(count / 1000) kB"
        default: "\(whole(count)) B"
        }
    }

    /// Formats `1.02`, `12.3`, `290`, or `1,230`. Below 0.095, formats `< 0.1`, far below any floor.
    static func ratio(_ value: Double) -> String {
        guard value.isFinite else { return none }
        return value < 0.095 ? "< 0.1" : digits(value)
    }

    /// Formats `1`, `1.03`, or `0.25`.
    static func syncs(_ value: Double) -> String {
        guard value.isFinite else { return none }
        let text = fixed(value, 2)
        return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
    }

    /// Formats `+12 %` or `−3.1 %`.
    static func change(_ part: Double) -> String {
        guard part.isFinite else { return none }
        let percent = abs(part) * 100
        let number = percent < 9.95 ? fixed(percent, 1) : whole(rounded(percent))
        return "\(part < 0 ? "−" : "+")\(number) %"
    }

    /// Formats three digits, with decimals only among these: `0.95`, `1.52`, `15.2`, `152`,
    /// `1,523`.
    static func digits(_ value: Double) -> String {
        switch abs(value) {
        case 99.95...: whole(rounded(value))
        case 9.995...: fixed(value, 1)
        default: fixed(value, 2)
        }
    }

    /// Formats a number with thousands separators: `10,000`.
    static func whole(_ value: Int) -> String {
        value.formatted(.number.locale(Locale(identifier: "en_US")))
    }

    private static func fixed(_ value: Double, _ places: Int) -> String {
        String(format: "%.\(places)f", value)
    }

    /// Rounds a number. A number that does not fit becomes 2⁵³, or its negative.
    private static func rounded(_ value: Double) -> Int {
        Int(exactly: value.rounded()) ?? (value < 0 ? -1 << 53 : 1 << 53)
    }
}
