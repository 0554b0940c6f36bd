public import BrowserSessions

// scheme ":" path ["?" name "=" value *("&" name "=" value)]
//
// `sqlite:///var/profile`, `sqlite:profile`, `sqlite:~/profile?durability=powerLoss`, and `sqlite:`
// for the backend alone. Percent escapes are decoded; there is no fragment. If a backend's
// locations are addresses, there may be a host, as in `postgresql://user@host/database`. The text
// before the options is then the location as it is.

extension SelectionLayer {
    /// Reads a selection from a URL.
    ///
    /// A relative path is in `directory`, and `~` is `home`. ``BackendSelector/resolve()`` checks
    /// whether the backend and the options exist.
    ///
    /// - Throws: `StorageError.Code.invalidConfiguration` for any other form. Errors never repeat
    ///   the URL.
    public static func url(
        _ text: String, from source: SelectionSource, directory: String, home: String?
    ) throws(StorageError) -> SelectionLayer {
        let parts = try SelectionURL(text, from: source)
        var layer = SelectionLayer(level: source.level, backend: Stated(parts.scheme, from: source))
        if let address = parts.address {
            layer.location = Stated(LocationTemplate(address: address), from: source)
        } else if let path = try parts.location(in: PathBase(directory: directory, home: home)) {
            layer.location = Stated(LocationTemplate(literal: path), from: source)
        }
        for (name, value) in try parts.items() {
            guard layer.options.updateValue(Stated(.text(value), from: source), forKey: name) == nil
            else { throw .selection(source, "option '\(name)' is there twice") }
        }
        return layer
    }
}

/// The parts of a URL, still escaped.
private struct SelectionURL {
    let source: SelectionSource
    let scheme: String
    /// The location with its host; `nil` if there is no host.
    let address: String?
    let path: Substring
    let query: Substring?

    init(_ text: String, from source: SelectionSource) throws(StorageError) {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
            throw .selection(
                source, "not a URL: write BACKEND:///absolute/path or BACKEND:relative/path")
        }
        guard !Redaction.isAmbiguous(String(text[text.index(after: colon)...])) else {
            throw .selection(source, LocationTemplate.ambiguous)
        }
        guard !text.contains("#") else {
            throw .selection(source, "the URL has a fragment; write '%23' for '#' in a path")
        }
        self.source = source
        scheme = String(text[..<colon])
        let rest = text[text.index(after: colon)...]
        let mark = rest.firstIndex(of: "?")
        query = mark.map { rest[rest.index(after: $0)...] }
        let whole = rest[..<(mark ?? rest.endIndex)]
        let hasHost = whole.hasPrefix("//") && !whole.dropFirst(2).hasPrefix("/")
        address = hasHost ? String(whole) : nil
        path = whole.hasPrefix("//") ? whole.dropFirst(2) : whole
    }

    /// Returns the location; `nil` if the URL names only a backend.
    func location(in base: PathBase) throws(StorageError) -> String? {
        if path.isEmpty { return nil }
        let decoded = try decode(path)
        try PathBase.check(decoded, from: source)
        // An escaped `~` is a name, not the home directory.
        let isName = decoded.hasPrefix("~") && !path.hasPrefix("~")
        return try base.resolve(isName ? "./" + decoded : decoded, from: source)
    }

    func items() throws(StorageError) -> [(String, String)] {
        guard let query else { return [] }
        var items: [(String, String)] = []
        for item in query.split(separator: "&", omittingEmptySubsequences: false) {
            guard let sign = item.firstIndex(of: "="), sign != item.startIndex else {
                throw .selection(source, "what follows '?' must be option=value&option=value")
            }
            items.append((try decode(item[..<sign]), try decode(item[item.index(after: sign)...])))
        }
        return items
    }

    private func decode(_ text: Substring) throws(StorageError) -> String {
        let bytes = PercentEncoding.bytes(text)
        if let text = bytes.flatMap({ String(validating: $0, as: UTF8.self) }) { return text }
        throw .selection(source, "the URL has a percent escape that is not UTF-8 text")
    }
}
