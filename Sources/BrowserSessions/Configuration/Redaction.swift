/// Text with its secrets hidden, for people.
package enum Redaction {
    /// The text that replaces a secret.
    package static let dots = "•••"

    /// Returns a location for people. In an address, dots replace what may be a password and what
    /// follows a question mark.
    ///
    /// A password may hold any unescaped character. So everything from the first colon to the last
    /// `@` counts as one, unless it is a port with a path that ends in a name with an `@`.
    package static func location(_ location: String) -> String {
        // Compares bytes: a colon and a combining accent are one character, which is not a colon.
        let bytes = Array(location.utf8)
        guard let start = addressStart(bytes) else { return location }
        var (shown, rest) = ("", bytes[...])
        if let secret = secret(bytes, start) {
            shown = text(bytes[..<secret.lowerBound]) + dots
            rest = bytes[secret.upperBound...]
        } else if start == 0 {
            return location
        }
        guard let query = rest.firstIndex(of: UInt8(ascii: "?")) else { return shown + text(rest) }
        return shown + text(rest[..<query]) + "?" + dots
    }

    /// Returns whether it is unclear where the password of an address ends: the address has no
    /// slashes at its beginning, or has an unescaped `/`, `?`, `#` or `@` before that end.
    package static func isAmbiguous(_ address: String) -> Bool {
        let bytes = Array(address.utf8)
        guard let start = addressStart(bytes), let secret = secret(bytes, start) else {
            return false
        }
        return start == 0
            || bytes[start..<secret.upperBound].contains { "/?#@".utf8.contains($0) }
    }

    /// Returns where a password may be.
    private static func secret(_ bytes: [UInt8], _ start: Int) -> Range<Int>? {
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")),
            let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")), colon < at
        else { return nil }
        let secret = colon + 1..<at
        // In host:port/database/name@home, a password would be followed by a host and a database.
        let port = bytes[secret].prefix { $0 != UInt8(ascii: "/") }
        let isPath =
            bytes[secret].split(separator: UInt8(ascii: "/")).count > 2
            && !bytes[at...].contains(UInt8(ascii: "/"))
        let isPort =
            UInt16(text(port)).map { $0 > 0 } == true
            && !bytes[secret].contains { "?#@".utf8.contains($0) }
        return start > 0 && isPort && isPath ? nil : secret
    }

    /// Returns where an address begins after its slashes; `nil` for an absolute path.
    private static func addressStart(_ bytes: [UInt8]) -> Int? {
        let slashes = bytes.prefix { $0 == UInt8(ascii: "/") }.count
        return slashes == 0 || slashes == 2 ? slashes : nil
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
