/// The sites that somebody wants a store to forget, and since when.
///
/// A site is a host and everything below it: `example.org` is also `www.example.org`, and the other way
/// around. A name without a dot, such as `localhost`, is that host alone. A port belongs to its host. Hosts with letters beyond
/// ASCII are named as in addresses: `xn--bcher-kva.example`.
public struct ForgottenSites: Hashable, Sendable {
    /// The hosts in lowercase, ascending and without duplicates; at least one.
    public let hosts: [String]
    /// What was visited before this moment stays, with what was noted for it; `nil` if nothing does. What has no
    /// time counts as visited since.
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
    /// that of a reader view or of an extension, is if it names one of them anywhere in its text.
    package func matches(_ address: String) -> Bool {
        guard let host = Self.host(of: address) else { return isNamed(in: address) }
        if hosts.contains(where: { Self.host(host, isIn: $0) }) { return true }
        let isWeb = ["http", "https", "ws", "wss", "ftp"].contains(Self.scheme(of: address))
        return !isWeb && isNamed(in: address)
    }

    /// Returns whether a text names one of the sites anywhere, also with escapes as in a query.
    package func isNamed(in text: String) -> Bool {
        guard !text.isEmpty else { return false }
        return isNamed(in: Array(text.utf8))
    }

    /// Returns whether bytes name one of the sites anywhere: as text in UTF-8 or UTF-16, in any case, and with
    /// escapes of several kinds. A name that is a part of another host's is none. Bytes that are compressed,
    /// encrypted or in Base64 are not read.
    package func isNamed(in bytes: [UInt8]) -> Bool {
        HostSearch(hosts).isNamed(in: bytes)
    }

    /// Returns whether something from that time is to be forgotten.
    package func reaches(_ time: Timestamp) -> Bool {
        guard let since else { return true }
        return time == .unknown || time >= since
    }

    private static func host(_ host: String, isIn site: String) -> Bool {
        host == site || site.contains(".") && host.hasSuffix("." + site)
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
