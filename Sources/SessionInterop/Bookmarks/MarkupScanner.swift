import Foundation

/// A scanner that finds the tags of an HTML text in order.
struct MarkupScanner {
    struct Tag {
        /// The name in lowercase. The name of an end tag begins with a slash.
        var name: String
        /// The attributes, with names in lowercase.
        var attributes: [String: String] = [:]
        var range: Range<Int>
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the next tag; `nil` at the end.
    mutating func next() -> Tag? {
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = start + 1
            if bytes[start...].starts(with: Array("<!--".utf8)) {
                skipComment()
                continue
            }
            let name = name()
            guard !name.isEmpty, let tag = tag(name, from: start) else { continue }
            return tag
        }
        return nil
    }

    private mutating func skipComment() {
        let end = Array("-->".utf8)
        while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
    }

    private mutating func name() -> String {
        let start = position
        while position < bytes.count, !Self.ends.contains(bytes[position]) || position == start {
            guard bytes[position] > 0x20 else { break }
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
    }

    private static let ends = Set(" \t\n\r>=\"'".utf8)

    private mutating func tag(_ name: String, from start: Int) -> Tag? {
        var tag = Tag(name: name, range: start..<start)
        while true {
            skipSpace()
            guard position < bytes.count else { return nil }
            if bytes[position] == UInt8(ascii: ">") {
                position += 1
                tag.range = start..<position
                return tag
            }
            let before = position
            let key = self.name()
            skipSpace()
            if position < bytes.count, bytes[position] == UInt8(ascii: "=") {
                position += 1
                skipSpace()
                tag.attributes[key] = tag.attributes[key] ?? value()
            }
            if position == before { position += 1 }
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    private mutating func value() -> String {
        guard position < bytes.count else { return "" }
        let quote = bytes[position]
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        if isQuoted { position += 1 }
        let start = position
        while position < bytes.count,
            isQuoted ? bytes[position] != quote : bytes[position] > 0x20 && bytes[position] != 0x3E
        { position += 1 }
        let text = bytes[start..<position]
        if isQuoted, position < bytes.count { position += 1 }
        return MarkupText.plain(text)
    }
}

/// The texts of HTML.
enum MarkupText {
    /// Returns the file as UTF-8, decoded by its byte order mark or by the encoding that it names.
    static func decoded(_ file: [UInt8]) -> SourceText {
        let head = String(decoding: file.prefix(1024), as: UTF8.self).lowercased()
        let isUTF8 = head.contains("charset=utf-8") || head.contains("charset=\"utf-8")
        let latin = ["charset=iso-8859-1", "charset=windows-1252", "charset=\"windows-1252"]
        if !isUTF8, latin.contains(where: head.contains),
            let text = String(data: Data(file), encoding: .windowsCP1252)
        {
            return SourceText(Array(text.utf8))
        }
        return SourceText(file)
    }

    /// Returns the text with characters in place of their names, without white space around it.
    static func plain(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("&") else { return text.trimmed }
        var (result, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            let name = rest.dropFirst().prefix(12).prefix { $0 != ";" && $0 != "&" }
            let after = rest.dropFirst(name.count + 1)
            if after.first == ";", let character = character(named: String(name)) {
                result.append(character)
                rest = after.dropFirst()
            } else {
                result.append("&")
                rest = rest.dropFirst()
            }
        }
        return (result + rest).trimmed
    }

    private static func character(named name: String) -> Character? {
        let names: [String: Character] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
        ]
        if let known = names[name.lowercased()] { return known }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.lowercased().hasPrefix("x")
        let number =
            isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { Unicode.Scalar($0) }.map { Character($0) }
    }
}
