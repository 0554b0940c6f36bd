/// Finds hosts in bytes of any kind: the states of web engines, fields of newer versions, texts.
///
/// A name is found as ASCII or UTF-8, and as UTF-16 in both orders, in any case, and also where letters,
/// or what is around the name, are written with escapes: `%2E`, `\x2e`, `\u002e`, `\u{2e}`, `\/`, also if
/// these are escaped again. It is found as a host or the end of one: `www.example.org`, `example.org:8080` and
/// `https_example.org_0` name `example.org`; `notexample.org`, `example.org.evil.test` and `example.organic`
/// do not. What is compressed, encrypted or in Base64 is not read.
struct HostSearch {
    private let hosts: [Name]

    private struct Name {
        var bytes: [UInt8]
        /// Whether what is below the host is on the site, too.
        var hasSubdomains: Bool
    }

    /// - Parameter hosts: in lowercase.
    init(_ hosts: [String]) {
        self.hosts = hosts.map { Name(bytes: Array($0.utf8), hasSubdomains: $0.contains(".")) }
    }

    /// Returns whether the bytes name one of the hosts.
    func isNamed(in bytes: [UInt8]) -> Bool {
        if isNamed(inText: bytes) { return true }
        guard bytes.contains(0) else { return false }
        return [(0, 1), (1, 0), (1, 2), (2, 1)].contains { low, high in
            isNamed(inText: Self.units(of: bytes, low: low, high: high))
        }
    }

    // MARK: Texts

    /// How often escapes may be escaped again.
    private static let mostLevels = 4

    private func isNamed(inText text: [UInt8]) -> Bool {
        if hasName(text) { return true }
        var text = text
        for _ in 0..<Self.mostLevels {
            guard let plain = Escapes.removed(from: text) else { return false }
            if hasName(plain) { return true }
            text = plain
        }
        return false
    }

    private func hasName(_ text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { text in hosts.contains { Self.finds($0, in: text) } }
    }

    private static func finds(_ name: Name, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = name.bytes.count
        guard let first = name.bytes.first, text.count >= count else { return false }
        for start in 0...text.count - count where text[start].lowercase == first {
            let isHere = (1..<count).allSatisfy { text[start + $0].lowercase == name.bytes[$0] }
            if isHere, begins(name, at: start, in: text), ends(at: start + count, in: text) {
                return true
            }
        }
        return false
    }

    private static func begins(
        _ name: Name, at start: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard start > 0, name.bytes.first?.isOfHost == true else { return true }
        let before = text[start - 1]
        return !before.isOfHost && (before != UInt8(ascii: ".") || name.hasSubdomains)
    }

    private static func ends(at end: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard end < text.count else { return true }
        // An escape says what it stands for when it is removed.
        if Escapes.escape(at: end, in: text) != nil { return false }
        guard text[end] == UInt8(ascii: ".") else { return !text[end].isOfHost }
        let next = end + 1
        guard next < text.count else { return true }
        return !text[next].isOfHost && Escapes.escape(at: next, in: text) == nil
    }

    // MARK: UTF-16

    /// What stands for a character that is in no host name.
    static let other: UInt8 = 0xFF

    /// Returns the ASCII characters of units of two bytes, and ``other`` for the rest. Of a unit that is
    /// cut off at the start or the end, one byte may be all that is left of a character.
    private static func units(of bytes: [UInt8], low: Int, high: Int) -> [UInt8] {
        let first = min(low, high)
        guard let head = bytes.first, let tail = bytes.last, bytes.count > first + 1 else {
            return []
        }
        var units: [UInt8] = []
        units.reserveCapacity(bytes.count / 2 + 2)
        if first == 1, low > high { units.append(head) }
        for place in stride(from: first, to: bytes.count - 1, by: 2) {
            let (low, high) = (bytes[place + low - first], bytes[place + high - first])
            units.append(high == 0 && low < 0x80 ? low : other)
        }
        if (bytes.count - first) % 2 == 1, low < high { units.append(tail) }
        return units
    }
}

extension UInt8 {
    fileprivate var lowercase: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    /// Whether it is a letter, a digit or a hyphen, as labels of hosts have.
    fileprivate var isOfHost: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
        default: false
        }
    }
}

/// Escapes of characters in texts.
private enum Escapes {
    /// Returns the text without one level of escapes; `nil` if it has none.
    static func removed(from text: [UInt8]) -> [UInt8]? {
        text.withUnsafeBufferPointer { text in
            guard var place = text.firstIndex(where: isMark) else { return nil }
            var plain = [UInt8](text[..<place])
            var isChanged = false
            plain.reserveCapacity(text.count)
            while place < text.count {
                if let (character, length) = escape(at: place, in: text) {
                    plain.append(character)
                    place += length
                    isChanged = true
                } else {
                    plain.append(text[place])
                    place += 1
                }
            }
            return isChanged ? plain : nil
        }
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\")
    }

    /// Returns what an escape stands for, and how long it is; `nil` if there is none at this place.
    static func escape(at place: Int, in text: UnsafeBufferPointer<UInt8>)
        -> (character: UInt8, length: Int)?
    {
        guard place + 1 < text.count, isMark(text[place]) else { return nil }
        if text[place] == UInt8(ascii: "%") {
            return number(at: place + 1, 2, in: text).map { ($0, 3) }
        }
        switch text[place + 1] {
        case UInt8(ascii: "x"): return number(at: place + 2, 2, in: text).map { ($0, 4) }
        case UInt8(ascii: "u"):
            guard place + 2 < text.count, text[place + 2] == UInt8(ascii: "{") else {
                return number(at: place + 2, 4, in: text).map { ($0, 6) }
            }
            let digits = text[(place + 3)...].prefix(7)
            guard let end = digits.firstIndex(of: UInt8(ascii: "}")), end > place + 3 else {
                return nil
            }
            return number(at: place + 3, end - place - 3, in: text).map { ($0, end - place + 1) }
        case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"):
            return (text[place + 1], 2)
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"),
            UInt8(ascii: "f"):
            return (0x20, 2)
        default: return nil
        }
    }

    /// Returns the character with a hexadecimal number: ``HostSearch/other`` beyond ASCII.
    private static func number(
        at place: Int, _ count: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> UInt8? {
        guard place + count <= text.count else { return nil }
        var value = 0
        for byte in text[place..<place + count] {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | digit
        }
        return value < 0x80 ? UInt8(value) : HostSearch.other
    }
}
