import BrowserSessions

/// An engine's bytes in their saved form, with what must be known before the engine gets them.
///
/// The bytes are preceded by a mark, the sizes of the adopted parts of the history before and after
/// the engine's own part, and the name of the engine's format with its length. Bytes without the
/// mark belong to the engine alone: they come from an engine that names no format and adopted
/// nothing, or were imported.
extension TabState {
    private static let mark: [UInt8] = [0xB5, 0x4E, 0x53, 0x01]
    /// A history that is longer than this is invalid.
    private static let mostEntries = 1 << 20
    private static let longestFormat = 256

    /// What is saved of the engine; `nil` if it is nothing. If the bytes begin with the mark but are
    /// damaged after it, the engine gets nothing.
    package var nativeBlob: [UInt8]? {
        get {
            let format = Array((nativeFormat ?? "").utf8.prefix(Self.longestFormat))
            if adoptedBefore == 0, adoptedAfter == 0, format.isEmpty || native == nil,
                !(native?.starts(with: Self.mark) ?? false)
            {
                return native
            }
            let numbers = [adoptedBefore, adoptedAfter, format.count].flatMap(Self.bytes)
            return Self.mark + numbers + format + [native == nil ? 0 : 1] + (native ?? [])
        }
        set {
            (native, nativeFormat, adoptedBefore, adoptedAfter) = (newValue, nil, 0, 0)
            guard let newValue, newValue.starts(with: Self.mark) else { return }
            native = nil
            var rest = newValue.dropFirst(Self.mark.count)
            guard let before = Self.number(&rest), let after = Self.number(&rest),
                let length = Self.number(&rest), length <= Self.longestFormat, rest.count > length
            else { return }
            (adoptedBefore, adoptedAfter) = (before, after)
            if length > 0 { nativeFormat = String(decoding: rest.prefix(length), as: UTF8.self) }
            rest = rest.dropFirst(length)
            if rest.removeFirst() == 1 { native = Array(rest) }
        }
    }

    /// Four bytes, least significant first.
    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        let number = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        bytes = bytes.dropFirst(4)
        return number <= mostEntries ? number : nil
    }
}
