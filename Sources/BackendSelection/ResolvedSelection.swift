public import BrowserSessions

/// The store to use, and why.
public struct ResolvedSelection: Sendable {
    public let backend: StorageBackend
    /// The location and the options that were stated; secrets are in the clear here only.
    public let configuration: StorageConfiguration
    /// Every setting with its source; secrets are dots.
    public let explanation: SelectionExplanation

    /// Where the location would be for the other backends, if it names the backend: `profile.{backend}`.
    let otherPlaces: [OtherStore]

    /// A store of another backend.
    public struct OtherStore: Sendable {
        public let backend: StorageBackend
        public let location: String
    }

    /// Stores of other backends that lie where the location names theirs: the selected one does not have their
    /// sessions. `[]` if there are none, or the location does not depend on the backend.
    ///
    /// Another backend in a configuration begins an empty store beside the full one. A host says so to
    /// its user, or takes everything along with `StoreMigration` of `SessionInterop`. Nothing is opened;
    /// throws what `StorageBackend.hasStore(at:)` throws.
    public func otherStores() throws(StorageError) -> [OtherStore] {
        var found: [OtherStore] = []
        for other in otherPlaces where try other.backend.hasStore(at: other.location) {
            found.append(other)
        }
        return found
    }

    /// What there is to say of ``otherStores()``, in a sentence for each that says what to do.
    public func warnings() -> [String] {
        do throws(StorageError) {
            return try otherStores().map { other in
                let from = "\(other.backend.name):\(Self.escaped(other.location))"
                return """
                    a store of backend '\(other.backend.name)' lies at '\(other.location)', and the one of \
                    backend '\(backend.name)' at '\(location)' does not have its sessions; to take them along: \
                    sessionctl migrate --from \(from) \
                    --to \(backend.name):\(Self.escaped(configuration.location))
                    """
            }
        } catch {
            return ["stores of other backends beside '\(location)' cannot be looked for: \(error)"]
        }
    }

    private static func escaped(_ path: String) -> String {
        let escaped = PercentEncoding.encode(path)
        return escaped.hasPrefix("/") ? "//" + escaped : escaped
    }

    /// The location as people may see it: a password in it is dots.
    public var location: String { Redaction.location(configuration.location) }

    /// Makes what the store's place needs before there can be a store; see `StorageBackend.prepare(_:)`.
    public func prepare() async throws(StorageError) { try await backend.prepare(configuration) }

    /// Opens the store at the location, or makes a new one there.
    public func open() async throws(StorageError) -> any SessionStorage {
        try await backend.open(configuration)
    }

    /// Opens the store on the calling thread; for hosts that have a thread of their own.
    public func openBlocking() throws(StorageError) -> any SessionStorage {
        try backend.openBlocking(configuration)
    }

    /// Removes the store at the location; see `StorageBackend.removeBlocking(_:)`. Returns whether there was
    /// one.
    @discardableResult
    public func remove() async throws(StorageError) -> Bool {
        try await backend.remove(configuration)
    }

    /// The explanation as lines of text.
    public func explain() -> [String] { explanation.lines }

    /// The selection in its URL form: the location and all stated options. Passing it to
    /// `--storage` selects the same, but for secrets, which are dots.
    public var url: String { url(leavingOut: []) }

    /// The same without the options of some names.
    package func url(leavingOut names: Set<String>) -> String {
        let path: String
        if backend.locationForm == .address {
            path = location
        } else {
            path = Self.escaped(configuration.location)
        }
        let stated = configuration.options.filter { !names.contains($0.key) }
        let items = stated.sorted { $0.key < $1.key }.map { name, value in
            let option = backend.knownOptions.first { $0.name == name }
            let isSecret = option?.isSecret ?? true
            let text = isSecret ? Redaction.dots : PercentEncoding.encode(value.text)
            return "\(PercentEncoding.encode(name))=\(text)"
        }
        return "\(backend.name):\(path)" + (items.isEmpty ? "" : "?")
            + items.joined(separator: "&")
    }
}

extension ResolvedSelection: CustomStringConvertible {
    /// The URL form, without secrets.
    public var description: String { url }
}

extension ResolvedSelection: CustomReflectable {
    /// Without the configuration, so that no dump shows a secret.
    public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
