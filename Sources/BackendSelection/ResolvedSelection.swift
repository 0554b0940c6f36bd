public import BrowserSessions

/// The selected store, and the reasons for the selection.
public struct ResolvedSelection: Sendable {
    /// The selected backend, which opens the store.
    public let backend: StorageBackend
    /// The location and the options that were stated. Only this property has secrets in plain text.
    public package(set) var configuration: StorageConfiguration
    /// Every setting with its source. Secrets are dots.
    public let explanation: SelectionExplanation

    /// The stores of the other backends, if the location contains the name: `profile.{backend}`.
    let otherPlaces: [OtherStore]

    /// A store of another backend.
    public struct OtherStore: Sendable {
        /// The backend of the store, other than the selected one.
        public let backend: StorageBackend
        /// The path of the store.
        public let location: String
    }

    /// Returns the stores of other backends at their own locations. The selected store does not
    /// have their sessions. Returns `[]` if there are none, or if the location is the same for all.
    ///
    /// Selecting another backend creates an empty store next to the full one. A host either informs
    /// its user, or moves everything with `StoreMigration` of `SessionInterop`. This call opens no
    /// store.
    ///
    /// - Throws: what `StorageBackend.hasStore(at:)` throws.
    public func otherStores() throws(StorageError) -> [OtherStore] {
        var found: [OtherStore] = []
        for other in otherPlaces where try other.backend.hasStore(at: other.location) {
            found.append(other)
        }
        return found
    }

    /// Returns advice for each of ``otherStores()``, or the error if they cannot be found.
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
        let escaped = PercentEncoding.text(path.utf8)
        return escaped.hasPrefix("/") ? "//" + escaped : escaped
    }

    /// The location for people. Dots replace a password.
    public var location: String { Redaction.location(configuration.location) }

    /// Prepares the server or directory for the store; see `StorageBackend.prepare(_:)`.
    ///
    /// - Throws: what the backend throws.
    public func prepare() async throws(StorageError) { try await backend.prepare(configuration) }

    /// Opens the store at the location, or creates one there.
    ///
    /// - Throws: what `StorageBackend.open(_:)` throws.
    public func open() async throws(StorageError) -> any SessionStorage {
        try await backend.open(configuration)
    }

    /// Opens the store on the calling thread, for hosts with their own threads.
    ///
    /// - Throws: what `StorageBackend.open(_:)` throws.
    public func openBlocking() throws(StorageError) -> any SessionStorage {
        try backend.openBlocking(configuration)
    }

    /// Removes the store at the location; see `StorageBackend.remove(_:)`. Returns whether
    /// there was a store.
    ///
    /// - Throws: what `StorageBackend.remove(_:)` throws.
    @discardableResult
    public func remove() async throws(StorageError) -> Bool {
        try await backend.remove(configuration)
    }

    /// Returns the explanation as lines of text.
    public func explain() -> [String] { explanation.lines }

    /// The selection as a URL: the location and all stated options. Passing it to `--storage`
    /// selects the same store, except for secrets, which are dots.
    public var url: String { url(leavingOut: []) }

    /// Returns the URL without the named options.
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
            let text = isSecret ? Redaction.dots : PercentEncoding.text(value.text.utf8)
            return "\(PercentEncoding.text(name.utf8))=\(text)"
        }
        return "\(backend.name):\(path)" + (items.isEmpty ? "" : "?")
            + items.joined(separator: "&")
    }
}

extension ResolvedSelection: CustomStringConvertible {
    /// The selection as a URL, without secrets.
    public var description: String { url }
}

extension ResolvedSelection: CustomReflectable {
    /// A mirror without the configuration, so that no dump shows a secret.
    public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
