/// A SplitMix64 generator: for one seed, the same random numbers on every platform, forever.
///
/// It is fast and well mixed, but easy to predict, so use it only for tests and measurements. The
/// standard library may change how it derives ranges and shuffles from random bits. This module
/// uses only ``integer(in:)``, ``chance(_:in:)``, ``pick(_:)`` and ``value(of:)`` instead.
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// Creates a generator. Any seed is valid, including 0.
    public init(seed: UInt64) { state = seed }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number of the range. All are equally likely, except for at most 1 in 2^32.
    ///
    /// - Precondition: The range has fewer than 2^32 numbers.
    public mutating func integer(in range: ClosedRange<Int>) -> Int {
        let count = UInt64(range.upperBound - range.lowerBound) + 1
        precondition(count <= 1 << 32, "the range is too large")
        return range.lowerBound + Int(((next() >> 32) &* count) >> 32)
    }

    /// Returns whether an event happens that is expected `times` in `total` cases.
    public mutating func chance(_ times: Int, in total: Int) -> Bool {
        integer(in: 1...total) <= times
    }

    /// Returns one of the elements, each equally likely.
    ///
    /// - Precondition: The array is not empty.
    public mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[integer(in: 0...elements.count - 1)]
    }

    /// Returns a value of a distribution.
    public mutating func value(of quantiles: Quantiles) -> Int {
        quantiles.value(at: integer(in: 0...Quantiles.whole))
    }
}

/// A distribution of whole numbers, with straight lines between its quantiles. It does not use
/// logarithms, because their last digits differ between platforms.
public struct Quantiles: Hashable, Sendable {
    static let whole = 1_000_000
    private let shares: [Int]
    private let values: [Int]

    /// Creates a distribution from the smallest value and further ones. Each has the share of the
    /// numbers up to it in parts per thousand, ascending to 1000.
    public init(from smallest: Int, points: [(perMille: Int, value: Int)]) {
        shares = [0] + points.map { $0.perMille * (Self.whole / 1000) }
        values = [smallest] + points.map(\.value)
        precondition(shares.last == Self.whole, "the last share is 1000")
    }

    /// Returns the value that `share` millionths of the numbers do not exceed.
    func value(at share: Int) -> Int {
        let upper = shares.firstIndex { $0 >= share } ?? shares.count - 1
        guard upper > 0 else { return values[0] }
        let (from, to) = (values[upper - 1], values[upper])
        let width = shares[upper] - shares[upper - 1]
        return from + (to - from) * (share - shares[upper - 1]) / max(width, 1)
    }
}
