// Texts, numbers and literals.

extension JSONParser {
    mutating func word(_ word: String, _ value: JSONValue) -> JSONValue? {
        guard cursor.bytes[cursor.position...].starts(with: word.utf8) else {
            fail("an unknown word")
            return nil
        }
        cursor.position += word.utf8.count
        return value
    }

    mutating func number() -> JSONValue? {
        let start = cursor.position
        while let byte = cursor.next, (48...57).contains(byte) || "+-.eE".utf8.contains(byte) {
            cursor.position += 1
        }
        let text = String(decoding: cursor.bytes[start..<cursor.position], as: UTF8.self)
        if cursor.position == cursor.bytes.count, start > 0 {
            fail("the text ends too early")
            return nil
        }
        if let whole = Int64(text) { return .integer(whole) }
        if let value = Double(text), value.isFinite { return .number(value) }
        cursor.position = start
        fail(text.isEmpty ? "an unexpected character" : "a number of unknown form")
        return nil
    }

    mutating func string() -> String? {
        cursor.position += 1
        let start = cursor.position
        cursor.skipPlainText()
        if cursor.next == UInt8(ascii: "\"") {
            cursor.position += 1
            return String(decoding: cursor.bytes[start..<(cursor.position - 1)], as: UTF8.self)
        }
        return string(after: Array(cursor.bytes[start..<cursor.position]))
    }

    /// Reads the rest of a text that has escapes.
    private mutating func string(after beginning: [UInt8]) -> String? {
        var text = beginning
        while let byte = cursor.next {
            cursor.position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): if !escape(into: &text) { return nil }
            default: text.append(byte)
            }
        }
        fail("the text ends too early")
        return nil
    }

    private mutating func escape(into text: inout [UInt8]) -> Bool {
        let escaped = cursor.next
        cursor.position += 1
        switch escaped {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escaped ?? 0)
        case UInt8(ascii: "u"): return unicode(into: &text)
        default:
            cursor.position = min(cursor.position, cursor.bytes.count)
            fail(escaped == nil ? "the text ends too early" : "an unknown escape")
            return false
        }
        return true
    }

    /// Reads a `\u` escape or a surrogate pair. A lone surrogate becomes the replacement character.
    private mutating func unicode(into text: inout [UInt8]) -> Bool {
        guard let unit = codeUnit() else { return false }
        var units = [unit]
        if UTF16.isLeadSurrogate(unit), cursor.bytes[cursor.position...].starts(with: [0x5C, 0x75])
        {
            let mark = cursor.position
            cursor.position += 2
            guard let second = codeUnit() else { return false }
            if UTF16.isTrailSurrogate(second) {
                units.append(second)
            } else {
                cursor.position = mark
            }
        }
        text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        return true
    }

    private mutating func codeUnit() -> UInt16? {
        guard cursor.bytes.count - cursor.position >= 4 else {
            cursor.position = cursor.bytes.count
            fail("the text ends too early")
            return nil
        }
        let digits = String(
            decoding: cursor.bytes[cursor.position..<cursor.position + 4], as: UTF8.self)
        guard let unit = UInt16(digits, radix: 16), !digits.hasPrefix("+") else {
            fail("an unknown escape")
            return nil
        }
        cursor.position += 4
        return unit
    }
}
