/// The sites that somebody wants a store to forget, and since when.
///
/// A site is a host and everything below it: `example.org` is also `www.example.org`, and the other way
/// around. A name without a dot, such as `localhost`, is that host alone. A port belongs to its host. Hosts with letters beyond
/// ASCII are named as in addresses: `xn--bcher-kva.example`.
public struct ForgottenSites: Hashable, Sendable {
    /// The hosts in lowercase, ascending and without duplicates; at least one.
    public let hosts: [String]
    /// What was visited before this moment stays; `nil` if nothing does. What has no time counts as
    /// visited since.
    public let since: Timestamp?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - sites: hosts, or addresses of pages on them.
    ///   - since: the moment since which visits are forgotten.
    /// - Throws: ``StorageError/Code/invalidConfiguration`` if there is no site, or a text names none.
    public init(_ sites: [String], since: Timestamp? = nil) throws(StorageError) {
        var hosts: Set<String> = []
        for site in sites {
            let host = Self.host(of: site.contains("//") ? site : "//" + site)
            guard let host, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }) else {
                throw StorageError(
                    .invalidConfiguration,
                    """
                    '\(site.inOneLine)' names no site; name a host such as 'example.org', or the \
                    address of a page on it
                    """, operation: "forget")
            }
            let rest = host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
            hosts.insert(rest.contains(".") ? rest : host)
        }
        guard !hosts.isEmpty else {
            throw StorageError(
                .invalidConfiguration, "no site was named; name a host such as 'example.org'",
                operation: "forget")
        }
        self.hosts = hosts.sorted()
        self.since = since
    }

    /// Returns whether an address is on one of the sites. An address without a host of its own, such as
    /// that of a reader view or of an extension, is if it has one of them anywhere in its text.
    public func matches(_ address: String) -> Bool {
        guard let host = Self.host(of: address) else { return mentions(address) }
        if hosts.contains(where: { Self.host(host, isIn: $0) }) { return true }
        let isWeb = ["http", "https", "ws", "wss", "ftp"].contains(Self.scheme(of: address))
        return !isWeb && mentions(address)
    }

    /// Returns whether a text has the name of one of the sites anywhere.
    public func mentions(_ text: String) -> Bool {
        guard !text.isEmpty else { return false }
        return mentions(Array(text.utf8))
    }

    /// Returns whether bytes have the name of one of the sites anywhere, as text.
    func mentions(_ bytes: [UInt8]) -> Bool {
        hosts.contains { host in
            let name = Array(host.utf8)
            guard bytes.count >= name.count else { return false }
            return (0...bytes.count - name.count).contains { start in
                name.indices.allSatisfy { Self.lowercase(bytes[start + $0]) == name[$0] }
            }
        }
    }

    /// Returns whether something from that time is to be forgotten.
    func reaches(_ time: Timestamp) -> Bool {
        guard let since else { return true }
        return time == .unknown || time >= since
    }

    private static func host(_ host: String, isIn site: String) -> Bool {
        host == site || site.contains(".") && host.hasSuffix("." + site)
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func scheme(of address: String) -> String {
        address.prefix { $0 != ":" }.lowercased()
    }

    /// Returns the host in lowercase; `nil` if the address has none.
    static func host(of address: String) -> String? {
        guard let slashes = address.firstRange(of: "//") else { return nil }
        var authority = address[slashes.upperBound...].prefix { !"/?#\\".contains($0) }
        if let at = authority.lastIndex(of: "@") {
            authority = authority[authority.index(after: at)...]
        }
        if authority.hasPrefix("[") {
            return authority.firstIndex(of: "]").map { authority[...$0].lowercased() }
        }
        var host = authority.prefix { $0 != ":" }
        if host.hasSuffix(".") { host = host.dropLast() }
        return host.isEmpty ? nil : host.lowercased()
    }
}
