/// What people may see of what has secrets in it.
package enum Redaction {
    /// What is shown in place of a secret.
    package static let dots = "•••"

    /// A location as people may see it: with dots for a password in an address, and for what follows a
    /// question mark in one.
    package static func location(_ location: String) -> String {
        guard location.hasPrefix("//"), !location.hasPrefix("///") else { return location }
        let query = location.firstIndex(of: "?") ?? location.endIndex
        let address = location[..<query]
        let tail = query == location.endIndex ? "" : "?" + dots
        let authority = address.dropFirst(2).prefix { $0 != "/" }
        // A password may have a slash in it; a number behind a colon alone is a port.
        guard let colon = authority.firstIndex(of: ":"), let end = address.lastIndex(of: "@"),
            colon < end,
            authority.contains("@") || !authority[colon...].dropFirst().allSatisfy(\.isNumber)
        else { return address + tail }
        return address[...colon] + dots + address[end...] + tail
    }
}
