import BrowserSessions

/// An engine's bytes as they are saved, with what is to be known before the engine is given them.
///
/// In front of the bytes stand the mark, the sizes of the adopted parts of the history before and
/// behind the engine's own one, and the name of the engine's form, each with its length. Bytes
/// without the mark are the engine's alone: those of an engine that names no form and has adopted
/// nothing, and those that were imported.
struct NativeState: Equatable {
    /// The name of the form; `nil` if the bytes do not say.
    var format: String?
    /// How many entries of the history the engine never had, before its own ones and behind them.
    var before = 0
    var after = 0
    /// What the engine gave; `nil` if nothing.
    var bytes: [UInt8]?

    private static let mark: [UInt8] = [0xB5, 0x4E, 0x53, 0x01]
    /// Of a history longer than this nothing can be right.
    private static let mostEntries = 1 << 20
    private static let longestFormat = 256

    init(format: String?, before: Int, after: Int, bytes: [UInt8]?) {
        self.format = format
        self.before = before
        self.after = after
        self.bytes = bytes
    }

    /// Reads what was saved. Bytes that begin with the mark and are damaged behind it are nobody's:
    /// nothing is given to the engine.
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

    /// What is to be saved; `nil` if there is nothing to say.
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

    /// Four bytes, the least significant first.
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
