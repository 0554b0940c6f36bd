import BrowserSessions

/// An engine's bytes in their saved form, with what must be known before the engine gets them.
///
/// The bytes are preceded by a mark, the sizes of the adopted parts of the history before and after
/// the engine's own part, and the name of the engine's format with its length. Bytes without the
/// mark belong to the engine alone: they come from an engine that names no format and adopted
/// nothing, or were imported.
struct NativeState: Equatable {
    /// The name of the format; `nil` if the bytes do not contain it.
    var format: String?
    /// The number of entries before and after its own that the engine never had.
    var before = 0
    var after = 0
    /// The engine's bytes; `nil` if there are none.
    var bytes: [UInt8]?

    private static let mark: [UInt8] = [0xB5, 0x4E, 0x53, 0x01]
    /// A history that is longer than this is invalid.
    private static let mostEntries = 1 << 20
    private static let longestFormat = 256

    init(format: String?, before: Int, after: Int, bytes: [UInt8]?) {
        self.format = format
        self.before = before
        self.after = after
        self.bytes = bytes
    }

    /// Reads saved bytes. If they begin with the mark but are damaged after it, the engine gets
    /// nothing.
    init(saved: [UInt8]?) {
        guard let saved else { return }
        guard saved.starts(with: Self.mark) else {
            bytes = saved
            return
        }
        var rest = saved.dropFirst(Self.mark.count)
        format = ""
        guard let before = Self.number(&rest), let after = Self.number(&rest),
            let length = Self.number(&rest), length <= Self.longestFormat, rest.count > length
        else { return }
        (self.before, self.after) = (before, after)
        format = String(decoding: rest.prefix(length), as: UTF8.self)
        rest = rest.dropFirst(length)
        if rest.removeFirst() == 1 { bytes = Array(rest) }
    }

    /// The bytes to save; `nil` if there are none.
    var saved: [UInt8]? {
        let format = Array((format ?? "").utf8.prefix(Self.longestFormat))
        if before == 0, after == 0, format.isEmpty || bytes == nil,
            !(bytes?.starts(with: Self.mark) ?? false)
        {
            return bytes
        }
        return Self.mark + Self.bytes(before) + Self.bytes(after) + Self.bytes(format.count)
            + format + [bytes == nil ? 0 : 1] + (bytes ?? [])
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
