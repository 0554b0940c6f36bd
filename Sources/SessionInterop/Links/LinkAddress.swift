/// What counts as an address.
enum LinkAddress {
    /// Whether an address has a scheme, as RFC 3986 spells it, and something after.
    static func isAddress(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, isLetter(first) else { return false }
        let rest = text.utf8[text.utf8.index(after: colon)...]
        return !rest.isEmpty
            && scheme.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
            && !text.utf8.contains { $0 <= 0x20 }
    }

    /// The same among titles, which may have a colon, too.
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
