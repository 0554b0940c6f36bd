/// A 128-bit identifier that survives restarts, written as a UUID.
///
/// `Subject` keeps identifiers of different things apart; see ``TabID``, ``WindowID``,
/// ``NodeID`` and ``CommitID``. Identifiers are ordered by value; the order has no meaning.
@frozen
public struct Identifier<Subject>: Hashable, Sendable {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    /// Creates an identifier from its two halves. Any value is legal.
    @inlinable public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The identifier of zeros only.
    package static var zero: Self { Self(high: 0, low: 0) }

    /// Returns a new random identifier (version 4 UUID).
    public static func random() -> Self {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Returns a new identifier from the given generator, for reproducible tests.
    package static func random(using generator: inout some RandomNumberGenerator) -> Self {
        let high = (generator.next() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
        let low = (generator.next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        return Self(high: high, low: low)
    }
}

// Identifiers are keys of a store's tables, so these members are inlinable for other modules.
extension Identifier {
    @inlinable public static func == (left: Self, right: Self) -> Bool {
        left.high == right.high && left.low == right.low
    }

    @inlinable public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }
}

extension Identifier: Comparable {
    @inlinable public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension Identifier: LosslessStringConvertible {
    /// Reads the 8-4-4-4-12 form in either case; `nil` for anything else.
    public init?(_ description: String) {
        var digits = 0
        var (high, low): (UInt64, UInt64) = (0, 0)
        for (position, byte) in description.utf8.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = hexadecimalDigit(byte), digits < 32 else { return nil }
            if digits < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
            digits += 1
        }
        guard digits == 32, description.utf8.count == 36 else { return nil }
        self.init(high: high, low: low)
    }

    /// The uppercase 8-4-4-4-12 form.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 {
                text.append(UInt8(ascii: "-"))
            }
            let word = index < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (index % 16)) & 0xF)
            text.append(digit < 10 ? 48 + digit : 55 + digit)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Identifier {
    /// The sixteen bytes, most significant first.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        append(to: &bytes)
        return bytes
    }

    /// Creates an identifier from sixteen bytes; `nil` if there are more or fewer.
    public init?(bytes: some Sequence<UInt8>) {
        var (high, low): (UInt64, UInt64) = (0, 0)
        var count = 0
        for byte in bytes {
            guard count < 16 else { return nil }
            if count < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
            count += 1
        }
        guard count == 16 else { return nil }
        self.init(high: high, low: low)
    }

    @inlinable package func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes.append(contentsOf: $0) }
    }
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 48...57: UInt64(byte - 48)
    case 65...70: UInt64(byte - 55)
    case 97...102: UInt64(byte - 87)
    default: nil
    }
}

/// Marks identifiers of what is in a session's forest: tabs and other nodes.
public protocol ForestSubject {}

/// Marks identifiers of tabs.
public enum TabSubject: ForestSubject {}
/// Marks identifiers of windows.
public enum WindowSubject {}
/// Marks identifiers of commits.
public enum CommitSubject {}

/// Identifies a tab. Unique in a profile, and stable while the tab moves between sessions.
public typealias TabID = Identifier<TabSubject>
/// Identifies a browser window (a scene) across restarts.
public typealias WindowID = Identifier<WindowSubject>
/// Identifies one change set. The caller chooses it so that a save can be repeated safely.
public typealias CommitID = Identifier<CommitSubject>
