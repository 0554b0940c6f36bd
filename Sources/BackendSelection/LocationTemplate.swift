import BrowserSessions

/// The location of a store: an address, or a path that may contain the selected backend's name.
public struct LocationTemplate: Hashable, Sendable {
    /// The text between the occurrences of the backend's name.
    private let pieces: [String]
    /// Whether the location is an address, with a host at least; see `StorageBackend.LocationForm`.
    public let isAddress: Bool

    /// Creates a location from a path, used as is.
    public init(literal path: String) { self.init(pieces: [path]) }

    /// Creates a location from an address, used as is: `//host/database/profile`.
    public init(address: String) { self.init(pieces: [address], isAddress: true) }

    private init(pieces: [String], isAddress: Bool = false) {
        (self.pieces, self.isAddress) = (pieces, isAddress)
    }

    /// Returns the path for a backend.
    public func path(for backend: String) -> String { pieces.joined(separator: backend) }

    /// Reads a path as a person writes it. `~` is the home directory, and `{backend}` is the
    /// backend's name. Text that begins with two slashes and a host is an address. Other braces are
    /// refused, so a wrong placeholder never becomes part of a path.
    static func parse(_ text: String, from source: SelectionSource, in base: PathBase)
        throws(StorageError) -> LocationTemplate
    {
        try PathBase.check(text, from: source)
        guard !Redaction.isAmbiguous(text) else { throw .selection(source, ambiguous) }
        if text.hasPrefix("//"), !text.hasPrefix("///") { return LocationTemplate(address: text) }
        var pieces: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open...].hasPrefix(placeholder) else {
                throw .selection(
                    source, "the only placeholder of a location is '\(placeholder)'")
            }
            pieces.append(String(rest[..<open]))
            rest = rest[open...].dropFirst(placeholder.count)
        }
        pieces.append(String(rest))
        let isWhole = pieces.count == 1
        pieces[0] = try base.resolve(pieces[0], isWhole: isWhole, from: source)
        return LocationTemplate(pieces: pieces)
    }

    static let ambiguous = """
        it is not clear where a password in the address ends: begin the address with '//', and write %2F for \
        '/', %3F for '?', %23 for '#' and %40 for '@' in a user, a password and what stands behind the host; \
        before a relative path write './'
        """

    private static let placeholder = "{backend}"
}

extension LocationTemplate: CustomStringConvertible {
    /// The path, with `{backend}` in place of the name.
    public var description: String { path(for: Self.placeholder) }
}

/// The directories that relative paths and `~` refer to.
struct PathBase {
    var directory: String
    var home: String?

    /// Returns the absolute path for the text of a source. The result is relative if ``directory``
    /// is.
    ///
    /// - Parameter isWhole: Whether the text is the whole path.
    func resolve(_ path: String, isWhole: Bool = true, from source: SelectionSource)
        throws(StorageError) -> String
    {
        if (path == "~" && isWhole) || path.hasPrefix("~/") {
            guard let home, !home.isEmpty else {
                throw .selection(source, "'~' is in a path, but HOME is not set")
            }
            return Self.join(home, path.dropFirst(2))
        }
        guard !path.hasPrefix("~") else {
            throw .selection(
                source, "a path may begin with '~/'; write './~…' for a name that begins with '~'")
        }
        if PathText.isAbsolute(path) { return path }
        if path == "." || path == "./", !directory.isEmpty { return directory }
        return Self.join(directory, path.hasPrefix("./") ? path.dropFirst(2) : path[...])
    }

    /// Throws an error if a path cannot name anything.
    static func check(_ path: String, from source: SelectionSource) throws(StorageError) {
        if path.isEmpty { throw .selection(source, "the path is empty") }
        if path.utf8.contains(0) { throw .selection(source, "the path has a NUL character") }
    }

    private static func join(_ directory: String, _ path: Substring) -> String {
        if directory.isEmpty { return String(path) }
        return directory + (directory.hasSuffix("/") ? "" : "/") + path
    }
}
