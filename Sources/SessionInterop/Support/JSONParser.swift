/// Reads JSON and keeps what came before the damage.
///
/// Where the text breaks off or breaks the grammar, reading stops and the objects and lists that
/// were open are closed with the complete values read so far. A text or number that was cut is left
/// out, since a part of it would be a wrong value.
struct JSONParser {
    /// How deep objects and lists may be nested.
    static let maximumDepth = 200

    /// Where reading stopped, and why.
    struct Failure: Hashable {
        var offset: Int
        var reason: String
    }

    private let bytes: [UInt8]
    private var position = 0
    private var failure: Failure?

    private var room: Int

    private init(_ bytes: [UInt8], maximum: Int) {
        self.bytes = bytes
        room = maximum
    }

    /// The value in the text, and the damage if there is any. White space, a byte order mark and the
    /// parentheses of old Firefox files around the value are allowed.
    static func parse(_ bytes: [UInt8], maximum: Int = ImportLimits().maximumParts) -> (
        value: JSONValue?, failure: Failure?
    ) {
        var parser = Self(bytes, maximum: maximum)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
        parser.skipSpace()
        let hasParenthesis = parser.accept(UInt8(ascii: "("))
        let value = parser.value(depth: 0)
        if parser.failure == nil {
            parser.skipSpace()
            if hasParenthesis, parser.accept(UInt8(ascii: ")")) { parser.skipSpace() }
            if parser.position < bytes.count { parser.fail("text after the end of the value") }
        }
        return (value, parser.failure)
    }

    private mutating func fail(_ reason: String) {
        if failure == nil { failure = Failure(offset: position, reason: reason) }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        skipSpace()
        guard depth < Self.maximumDepth else {
            fail("nested too deep")
            return nil
        }
        room -= 1
        guard room >= 0 else {
            fail("more values than the limit")
            return nil
        }
        switch next {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        case nil:
            fail("the text ends too early")
            return nil
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSONValue {
        position += 1
        var members: [String: JSONValue] = [:]
        if accept(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\""), let key = string() else {
                fail(next == nil ? "the text ends too early" : "a name was expected")
                break
            }
            guard accept(UInt8(ascii: ":")) else {
                fail(next == nil ? "the text ends too early" : "a colon was expected")
                break
            }
            if let member = value(depth: depth + 1) { members[key] = member }
            guard failure == nil else { break }
        } while accept(UInt8(ascii: ","))
        close(UInt8(ascii: "}"))
        return .object(members)
    }

    private mutating func array(depth: Int) -> JSONValue {
        position += 1
        var items: [JSONValue] = []
        if accept(UInt8(ascii: "]")) { return .array(items) }
        repeat {
            if let item = value(depth: depth + 1) { items.append(item) }
            guard failure == nil else { break }
        } while accept(UInt8(ascii: ","))
        close(UInt8(ascii: "]"))
        return .array(items)
    }

    private mutating func close(_ bracket: UInt8) {
        guard failure == nil, !accept(bracket) else { return }
        fail(next == nil ? "the text ends too early" : "a comma or bracket was expected")
    }

    private mutating func word(_ word: String, _ value: JSONValue) -> JSONValue? {
        guard bytes[position...].starts(with: word.utf8) else {
            fail("an unknown word")
            return nil
        }
        position += word.utf8.count
        return value
    }

    private mutating func number() -> JSONValue? {
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

    private mutating func string() -> String? {
        position += 1
        var text: [UInt8] = []
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
