// Texts, numbers and words.

extension JSONParser {
    mutating func word(_ word: String, _ value: JSONValue) -> JSONValue? {
        guard bytes[position...].starts(with: word.utf8) else {
            fail("an unknown word")
            return nil
        }
        position += word.utf8.count
        return value
    }

    mutating func number() -> JSONValue? {
        let start = position
        while let byte = next, (48...57).contains(byte) || "+-.eE".utf8.contains(byte) {
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if position == bytes.count, start > 0 {
            fail("the text ends too early")
            return nil
        }
        if let whole = Int64(text) { return .integer(whole) }
        if let value = Double(text), value.isFinite { return .number(value) }
        position = start
        fail(text.isEmpty ? "an unexpected character" : "a number of unknown form")
        return nil
    }

    mutating func string() -> String? {
        position += 1
        let start = position
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            position += 1
        }
        if next == UInt8(ascii: "\"") {
            position += 1
            return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
        }
        return string(after: Array(bytes[start..<position]))
    }

    /// The rest of a text with escapes.
    private mutating func string(after beginning: [UInt8]) -> String? {
        var text = beginning
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard escape(into: &text) else { return nil }
            default: text.append(byte)
            }
        }
        fail("the text ends too early")
        return nil
    }

    private mutating func escape(into text: inout [UInt8]) -> Bool {
        let escaped = next
        position += 1
        switch escaped {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escaped ?? 0)
        case UInt8(ascii: "u"): return unicode(into: &text)
        default:
            position = min(position, bytes.count)
            fail(escaped == nil ? "the text ends too early" : "an unknown escape")
            return false
        }
        return true
    }

    /// One `\u` escape, or a surrogate pair; a lone surrogate becomes the replacement character.
    private mutating func unicode(into text: inout [UInt8]) -> Bool {
        guard let unit = codeUnit() else { return false }
        var units = [unit]
        if UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: [0x5C, 0x75]) {
            let mark = position
            position += 2
            guard let second = codeUnit() else { return false }
            if UTF16.isTrailSurrogate(second) { units.append(second) } else { position = mark }
        }
        text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        return true
    }

    private mutating func codeUnit() -> UInt16? {
        guard bytes.count - position >= 4 else {
            position = bytes.count
            fail("the text ends too early")
            return nil
        }
        let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        guard let unit = UInt16(digits, radix: 16), !digits.hasPrefix("+") else {
            fail("an unknown escape")
            return nil
        }
        position += 4
        return unit
    }
}
