/// The rules for what counts as an address.
enum LinkAddress {
    /// Returns whether the text has a scheme, as in RFC 3986, followed by something else.
    static func isAddress(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, isLetter(first) else { return false }
        let rest = text.utf8[text.utf8.index(after: colon)...]
        return !rest.isEmpty
            && scheme.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
            && !text.utf8.contains { $0 <= 0x20 }
    }

    /// Returns the same for text among titles, which may also contain a colon.
    static func isListed(_ text: String) -> Bool {
        guard isAddress(text) else { return false }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        return text.contains("://") || Self.schemes.contains(scheme)
    }

    private static let schemes: Set<String> = [
        "about", "blob", "chrome", "data", "edge", "file", "javascript", "magnet", "mailto", "tel",
        "urn", "view-source",
    ]

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
}
