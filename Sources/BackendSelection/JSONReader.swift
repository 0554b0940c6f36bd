import BrowserSessions
import Foundation

/// A reader of JSON that reports line numbers and refuses duplicate keys. Foundation's decoders do
/// neither, but they decode the strings here.
struct JSONReader {
    private let path: String
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ text: String, path: String) {
        self.path = path
        bytes = Array(text.utf8)
    }

    mutating func document() throws(StorageError) -> [ConfigurationFile.Member] {
        skipBlanks()
        let members = try object(MappingBuilder(path: path))
        skipBlanks()
        guard position == bytes.count else { throw syntax("nothing may follow the object") }
        return members
    }

    private mutating func object(_ builder: MappingBuilder) throws(StorageError)
        -> [ConfigurationFile.Member]
    {
        var builder = builder
        try expect("{")
        skipBlanks()
        if take("}") { return [] }
        repeat {
            skipBlanks()
            let keyLine = line
            let key = try string()
            skipBlanks()
            try expect(":")
            skipBlanks()
            let value = try value(of: key, line: keyLine, in: builder)
            try builder.append(.init(key: key, line: keyLine, value: value))
            skipBlanks()
        } while take(",")
        try expect("}")
        return builder.members
    }

    private mutating func value(of key: String, line keyLine: Int, in builder: MappingBuilder)
        throws(StorageError) -> ConfigurationFile.Value
    {
        switch peek {
        case "\"": return .scalar(.text(try string()))
        case "{" where builder.parent.isEmpty:
            return .mapping(try object(MappingBuilder(path: path, parent: builder.keyPath(key))))
        case "{": throw builder.error(key, line: keyLine, "an object has no meaning here")
        case "[": throw builder.error(key, line: keyLine, "a list has no meaning here")
        default: break
        }
        switch literal() {
        case "true": return .scalar(.bool(true))
        case "false": return .scalar(.bool(false))
        case "null": throw builder.error(key, line: keyLine, "null has no meaning; leave it out")
        case let text where text.first == "-" || text.first?.isNumber == true:
            return .scalar(try builder.number(text, key: key, line: keyLine))
        default: throw syntax("expected a value")
        }
    }

    /// Returns the characters up to the next syntax character.
    private mutating func literal() -> String {
        let rest = bytes[position...].prefix { !Array(",:{}[]\" \t\r\n".utf8).contains($0) }
        position += rest.count
        return String(decoding: rest, as: UTF8.self)
    }

    private mutating func string() throws(StorageError) -> String {
        let start = position
        guard take("\"") else { throw syntax("expected a text in double quotes") }
        while let sign = peek, sign != "\"", sign != "\n" {
            position += sign == "\\" ? 2 : 1
        }
        guard take("\"") else { throw syntax("the text has no closing quote") }
        let literal = Data(bytes[start..<position])
        do {
            return try JSONDecoder().decode(String.self, from: literal)
        } catch {
            throw syntax("the text has a wrong escape or a control character")
        }
    }

    // MARK: - Characters

    private var peek: Unicode.Scalar? {
        position < bytes.count ? Unicode.Scalar(bytes[position]) : nil
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard peek == sign else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ sign: Unicode.Scalar) throws(StorageError) {
        guard take(sign) else { throw syntax("expected '\(sign)'") }
    }

    private mutating func skipBlanks() {
        while let sign = peek, [" ", "\t", "\r", "\n"].contains(sign) {
            if sign == "\n" { line += 1 }
            position += 1
        }
    }

    private func syntax(_ problem: String) -> StorageError {
        .selection(.file(path: path, line: line), "not JSON: \(problem)")
    }
}
