import BrowserSessions
import Foundation

/// The address of a page that another page replaces: a page of an extension that suspends tabs, of
/// a reader, or of an error.
enum ParkedAddress {
    /// The schemes of pages that browsers and their extensions create.
    private static let schemes: Set<String> = [
        "chrome-extension", "moz-extension", "safari-web-extension", "safari-extension",
        "ms-browser-extension", "extension", "about", "read", "chrome-distiller", "internal",
    ]
    /// The pages of `about:` that show or replace another one.
    private static let pages: Set<String> = [
        "reader", "neterror", "certerror", "blocked", "tabcrashed", "httpsonlyerror",
    ]
    private static let names: Set<String> = [
        "url", "uri", "u", "originalurl", "original_url", "origurl", "targeturl", "tab_url",
    ]
    /// The parameters that follow an address that is not encoded.
    private static let others: Set<String> = [
        "title", "ttl", "t", "pos", "favicon", "faviconurl", "favurl", "icon", "state", "tabid",
        "sessionid", "ts", "time", "id", "windowid",
    ]

    /// Returns the replaced address; `nil` if the page does not replace another one.
    static func behind(_ url: String) -> String? {
        var address = url
        for _ in 0..<8 {
            guard let next = once(address) else { break }
            address = next
        }
        return address == url ? nil : address
    }

    private static func once(_ url: String) -> String? {
        guard let colon = url.firstIndex(of: ":") else { return nil }
        let scheme = url[..<colon].lowercased()
        let rest = url[url.index(after: colon)...]
        let isReader = rest.hasPrefix("//localhost:") && rest.contains("/reader-mode/")
        guard schemes.contains(scheme) || scheme == "http" && isReader else { return nil }
        if scheme == "about" {
            guard pages.contains(rest.prefix { $0 != "?" && $0 != "#" }.lowercased()) else {
                return nil
            }
        }
        let marks = rest.indices.filter { rest[$0] == "?" || rest[$0] == "#" }
        guard let first = marks.first else { return nil }
        let tail = rest[rest.index(after: first)...]
        if let whole = address(tail) { return whole }
        if rest[first] == "?", let hash = tail.firstIndex(of: "#") {
            let fragment = tail[tail.index(after: hash)...]
            return parameter(of: tail[..<hash]) ?? address(fragment) ?? parameter(of: fragment)
                // An address that is not encoded has its own separators.
                ?? parameter(of: tail)
        }
        return parameter(of: tail)
    }

    /// Returns the value of a parameter that is an address, with everything that belongs to it.
    private static func parameter(of text: Substring) -> String? {
        let parts = text.split(separator: "&", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            guard let equals = part.firstIndex(of: "="),
                names.contains(part[..<equals].lowercased())
            else { continue }
            let value = part[part.index(after: equals)...]
            guard value.contains("://") else {
                if let address = address(value) { return address }
                continue
            }
            // The address is not encoded, so it continues until a parameter of the page itself.
            let more = parts[(index + 1)...].prefix { next in
                !others.contains(next.prefix { $0 != "=" }.lowercased())
            }
            return address(Substring(([value] + more).joined(separator: "&")))
        }
        return nil
    }

    /// Returns the text as the address of a page, encoded or not; `nil` if it is none.
    private static func address(_ text: Substring) -> String? {
        let isPlain = text.contains("://")
        let address = isPlain ? String(text) : text.removingPercentEncoding ?? ""
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard LinkAddress.isAddress(address.replacing(" ", with: "%20")) else { return nil }
        let isPage = ["http", "https", "ftp", "file"].contains(scheme) && address.contains("://")
        let isWebOnly = scheme == "about" || schemes.contains(scheme)
        return isPage || isWebOnly && once(address) != nil ? address : nil
    }

    /// Returns the title that a page of an extension keeps; `nil` if it has none.
    static func title(in url: String) -> String? {
        let tail = url.drop { $0 != "?" && $0 != "#" }.dropFirst()
        for part in tail.split(whereSeparator: { $0 == "&" || $0 == "#" }) {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, ["title", "ttl"].contains(pair[0].lowercased()) else { continue }
            return pair[1].replacing("+", with: " ").removingPercentEncoding
        }
        return nil
    }
}

extension TabDraft {
    /// Replaces pages that stand in for others with the addresses of the other pages, keeps their
    /// titles, and reports it.
    mutating func unpark(_ log: inout ProblemLog) {
        guard let entries = history?.entries, !entries.isEmpty else {
            guard let address = ParkedAddress.behind(metadata.url) else { return }
            report(metadata.url, &log)
            let title = ParkedAddress.title(in: metadata.url) ?? ""
            metadata.title = metadata.title.isEmpty ? title : metadata.title
            metadata.url = address
            return
        }
        let shown = history?.currentIndex ?? entries.count - 1
        var (kept, current): ([NavigationEntry], Int) = ([], 0)
        var parked: String?
        for (index, entry) in entries.enumerated() {
            let address = ParkedAddress.behind(entry.url)
            let page = address.map { Self.entry(behind: entry, $0) } ?? entry
            if address != nil, parked == nil || index == shown { parked = entry.url }
            if address != nil, let last = kept.last, last.url == address {
                // The page itself is the previous entry.
                if last.title.isEmpty { kept[kept.count - 1].title = page.title }
            } else {
                kept.append(page)
            }
            if index == shown { current = kept.count - 1 }
        }
        guard let parked else { return }
        report(parked, &log)
        history?.entries = kept
        history?.currentIndex = current
        if let address = ParkedAddress.behind(metadata.url) {
            metadata.url = address
            metadata.title = kept[current].title
        }
        metadata.navigationItemCount = Int32(clamping: kept.count)
    }

    /// Returns the entry of the replaced page. The state of the other page does not belong to it.
    private static func entry(behind parked: NavigationEntry, _ address: String)
        -> NavigationEntry
    {
        var entry = NavigationEntry(url: address, title: parked.title)
        entry.time = parked.time
        if entry.title.isEmpty || entry.title == parked.url {
            entry.title = ParkedAddress.title(in: parked.url) ?? ""
        }
        return entry
    }

    private func report(_ url: String, _ log: inout ProblemLog) {
        let scheme = url.prefix { $0 != ":" }
        let page = scheme == "about" ? "\(url.prefix { $0 != "?" && $0 != "#" })" : "\(scheme):"
        log.repair(
            at: location, "a page (\(page)) stood in for another; the tab has the address behind")
    }
}
