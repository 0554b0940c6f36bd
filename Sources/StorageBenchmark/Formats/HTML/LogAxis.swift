#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A logarithmic axis from round number to round number, with ticks at round numbers.
struct LogAxis {
    let lower: Double
    let upper: Double
    /// The positions of labels, at most six.
    let ticks: [Double]

    /// Creates an axis that covers all values above zero. Other values cannot be on it.
    init(_ values: some Sequence<Double>) {
        let values = values.filter { $0 > 0 && $0.isFinite }
        let lower = Self.rounded(values.min() ?? 1, up: false)
        let reached = Self.rounded(values.max() ?? 10, up: true)
        let upper = reached > lower ? reached : lower * 10
        self.lower = lower
        self.upper = upper
        ticks = Self.ticks(from: lower, to: upper)
    }

    /// Returns the position of a value, between 0 and 1.
    func place(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        return min(max(log10(value / lower) / log10(upper / lower), 0), 1)
    }

    /// Returns the next of 1, 2, and 5 times a power of ten.
    private static func rounded(_ value: Double, up: Bool) -> Double {
        let power = pow(10, log10(value).rounded(.down))
        let steps: [Double] = [1, 2, 5, 10]
        // A small tolerance is needed, because powers of ten are not exact.
        let digit = value / power
        if up { return power * (steps.first { $0 >= digit * (1 - 1e-9) } ?? 10) }
        return power * (steps.last { $0 <= digit * (1 + 1e-9) } ?? 1)
    }

    private static func ticks(from lower: Double, to upper: Double) -> [Double] {
        let first = Int(log10(lower).rounded(.down))
        let last = Int(log10(upper * (1 + 1e-9)).rounded(.down))
        let powers = Array(first...max(first, last))
        let isInside = { (value: Double) in
            value >= lower * (1 - 1e-9) && value <= upper * (1 + 1e-9)
        }
        for digits in [[1.0, 2, 5], [1, 3], [1]] as [[Double]] {
            let ticks = powers.flatMap { power in digits.map { $0 * pow(10, Double(power)) } }
                .filter(isInside)
            if (2...6).contains(ticks.count) { return ticks }
        }
        let decades = powers.map { pow(10, Double($0)) }.filter(isInside)
        let step = (decades.count + 5) / 6
        return decades.enumerated().filter { $0.offset.isMultiple(of: max(step, 1)) }
            .map(\.element)
    }
}
