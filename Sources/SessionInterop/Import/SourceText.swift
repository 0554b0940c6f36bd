import Foundation

/// Text of unknown encoding as UTF-8 with line feeds.
struct SourceText {
    /// The text without a byte order mark.
    let bytes: [UInt8]
    /// A note if the last character is incomplete or the encoding was guessed; `nil` otherwise.
    let note: String?

    /// Detects the encoding by the byte order mark, or else by zeros, which occur in UTF-16 and not
    /// in lists. Text that is not UTF-8 is read as Windows-1252, unless most of it is UTF-8.
    init(_ file: [UInt8]) {
        if file.starts(with: [0xEF, 0xBB, 0xBF]) {
            (bytes, note) = (Self.withLineFeeds(Array(file.dropFirst(3))), nil)
        } else if let isBig = Self.utf16(file) {
            let hasMark = file.starts(with: isBig ? [0xFE, 0xFF] : [0xFF, 0xFE])
            let units = stride(from: hasMark ? 2 : 0, to: file.count - 1, by: 2).map { place in
                let (first, second) = (UInt16(file[place]), UInt16(file[place + 1]))
                return isBig ? first << 8 | second : second << 8 | first
            }
            let isWhole = file.count % 2 == 0
            bytes = Self.withLineFeeds(Array(String(decoding: units, as: UTF16.self).utf8))
            note = isWhole ? nil : "the last character is not complete"
        } else if let text = Self.windows1252(file) {
            bytes = Self.withLineFeeds(Array(text.utf8))
            note = "the text is no UTF-8 and was read as Windows-1252"
        } else {
            (bytes, note) = (Self.withLineFeeds(file), nil)
        }
    }

    /// Returns whether UTF-16 text has the high byte first; `nil` if the text is not UTF-16.
    private static func utf16(_ file: [UInt8]) -> Bool? {
        if file.starts(with: [0xFE, 0xFF]) { return true }
        if file.starts(with: [0xFF, 0xFE]) { return false }
        let head = file.prefix(4096)
        let even = stride(from: 0, to: head.count - 1, by: 2).count { head[$0] == 0 }
        let odd = stride(from: 1, to: head.count, by: 2).count { head[$0] == 0 }
        guard max(even, odd) * 4 > head.count, min(even, odd) * 8 < max(even, odd) else {
            return nil
        }
        return even > odd
    }

    private static func windows1252(_ file: [UInt8]) -> String? {
        guard file.contains(where: { $0 >= 0x80 }), String(validating: file, as: UTF8.self) == nil
        else { return nil }
        var (bad, good) = (0, 0)
        for scalar in String(decoding: file, as: UTF8.self).unicodeScalars where !scalar.isASCII {
            if scalar == "\u{FFFD}" { bad += 1 } else { good += 1 }
        }
        guard bad > good else { return nil }
        return String(data: Data(file), encoding: .windowsCP1252)
            ?? String(data: Data(file), encoding: .isoLatin1)
    }

    private static func withLineFeeds(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(0x0D) else { return text }
        var lines: [UInt8] = []
        lines.reserveCapacity(text.count)
        for (index, byte) in text.enumerated() {
            if byte != 0x0D {
                lines.append(byte)
            } else if index + 1 == text.count || text[index + 1] != 0x0A {
                lines.append(0x0A)
            }
        }
        return lines
    }
}
