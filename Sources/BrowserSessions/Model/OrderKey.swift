/// The position of a tab in its session, as a byte string. Tabs are ordered by comparing the bytes.
///
/// Between any two keys there is always another one, so inserting or moving one of 10,000 tabs
/// changes one record. This is guaranteed because every byte is 1...255 and the last is at least 2.
///
/// Keys grow by about one bit for each insertion at the same position, and stay at 6 bytes when
/// tabs are appended. A saved key may have at most 128 bytes. Renumber with
/// ``evenlySpaced(count:)`` long before that.
public struct OrderKey: Hashable, Sendable {
    /// The first eight bytes, zero-padded. Ordinary keys fit here and need no allocation.
    package let head: UInt64
    package let tail: [UInt8]

    /// The maximum length in bytes of a key that a store accepts.
    package static let maximumLength = 128

    /// Creates a key; `nil` if the bytes break the rules of a key.
    public init?(bytes: [UInt8]) {
        guard bytes.withUnsafeBytes({ Self.isLegal($0) }) else { return nil }
        self = bytes.withUnsafeBytes { Self(trusted: $0) }
    }

    package static func isLegal(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let last = bytes.last, last >= 2 else { return false }
        return !bytes.contains(0)
    }

    package init(trusted bytes: UnsafeRawBufferPointer) {
        var head: UInt64 = 0
        for index in 0..<8 {
            head = head << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
        }
        self.head = head
        tail = bytes.count > 8 ? [UInt8](bytes[8...]) : []
    }

    package func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: head.bigEndian) {
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<min(length, 8)]))
        }
        bytes.append(contentsOf: tail)
    }

    /// The key's bytes.
    public var bytes: [UInt8] {
        withUnsafeBytes(of: head.bigEndian) { [UInt8]($0.prefix { $0 != 0 }) } + tail
    }

    /// The number of bytes in the key.
    package var length: Int { tail.isEmpty ? 8 - head.trailingZeroBitCount / 8 : 8 + tail.count }
}

extension OrderKey: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        if left.head != right.head { return left.head < right.head }
        return left.tail.lexicographicallyPrecedes(right.tail)
    }
}

extension OrderKey: CustomStringConvertible {
    /// The bytes in hexadecimal.
    public var description: String {
        bytes.map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }.joined()
    }
}

// MARK: - Making keys

extension OrderKey {
    /// Returns a key between two neighbors; `nil` stands for the beginning or the end of the list.
    ///
    /// The result is above `lower` and, if `upper` is above `lower`, below `upper`.
    public static func between(_ lower: OrderKey?, and upper: OrderKey?) -> OrderKey {
        switch (lower, upper) {
        case (nil, nil):
            return Self(number: span / 2)
        case (let lower?, nil):
            let next = lower.number + step
            return next < span ? Self(number: next) : midpoint(lower.digits, nil)
        case (nil, let upper?):
            let next = upper.number - step
            return next > 0 ? Self(number: next) : midpoint([], upper.digits)
        case (let lower?, let upper?):
            return midpoint(lower.digits, lower < upper ? upper.digits : nil)
        }
    }

    /// The key of the only record of a list. A list gives a node that is created its place, whatever key
    /// the node has.
    public static let middle = between(nil, and: nil)

    /// Returns ascending keys directly behind this one, before every other key that a list made so far; `nil`
    /// if they would be too long to be made again and again.
    package func keysBehind(count: Int) -> [OrderKey]? {
        guard length <= 40, count < 254 else { return nil }
        return (0..<count).compactMap { OrderKey(bytes: bytes + [1, UInt8($0 + 2)]) }
    }

    /// Returns keys for a whole list, in order, with equal space between them.
    public static func evenlySpaced(count: Int) -> [OrderKey] {
        guard count > 0 else { return [] }
        let stride = span / Int64(count + 1)
        return (1...Int64(count)).map { Self(number: $0 * stride) }
    }

    /// The base of the digits. The byte 1 is the digit 0.
    private static let base: Int64 = 255
    private static let span = base * base * base * base * base * base
    private static let step = base * base * base

    private var digits: [UInt8] { bytes.map { $0 - 1 } }

    /// The first six digits as a number.
    private var number: Int64 {
        let digits = digits
        return (0..<6).reduce(0) { $0 * Self.base + ($1 < digits.count ? Int64(digits[$1]) : 0) }
    }

    private init(number: Int64) {
        var rest = number
        var bytes: [UInt8] = []
        for _ in 0..<6 {
            bytes.insert(UInt8(rest % Self.base) + 1, at: 0)
            rest /= Self.base
        }
        while bytes.last == 1 { bytes.removeLast() }
        self = bytes.withUnsafeBytes { Self(trusted: $0) }
    }

    /// Returns a key in the middle of the gap, at the first digit that has one.
    private static func midpoint(_ lower: [UInt8], _ upper: [UInt8]?) -> OrderKey {
        var result: [UInt8] = []
        var upper = upper
        var index = 0
        while true {
            let low = index < lower.count ? Int(lower[index]) : 0
            let high = upper.map { index < $0.count ? Int($0[index]) : 0 } ?? 255
            if high - low >= 2 {
                result.append(UInt8((low + high) / 2) + 1)
                return result.withUnsafeBytes { Self(trusted: $0) }
            }
            result.append(UInt8(low) + 1)
            if low != high { upper = nil }
            index += 1
        }
    }
}
