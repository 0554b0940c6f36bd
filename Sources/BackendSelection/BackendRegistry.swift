public import BrowserSessions

/// The backends that a program can use. A host creates one registry and passes it on.
public struct BackendRegistry: Sendable {
    /// The names of all backends, sorted.
    public let names: [String]
    private let backends: [String: StorageBackend]

    /// Creates a registry of backends.
    ///
    /// - Throws: `StorageError.Code.invalidConfiguration` if two backends have the same name, if a
    ///   name cannot be the scheme of a URL or is a key of configuration files, if a backend has an
    ///   option twice, or if two options have the same environment variable.
    public init(_ backends: [StorageBackend]) throws(StorageError) {
        var byName: [String: StorageBackend] = [:]
        var variables: [String: String] = [:]
        for backend in backends {
            try Self.checkName(backend.name)
            try Self.checkOptions(of: backend, &variables)
            guard byName.updateValue(backend, forKey: backend.name) == nil else {
                throw .selection(.code, "backend '\(backend.name)' is registered twice")
            }
        }
        self.backends = byName
        names = byName.keys.sorted()
    }

    /// Returns the backend with that name; `nil` if there is none.
    public subscript(name: String) -> StorageBackend? { backends[name] }

    /// Returns the backend of the store at a path; `nil` if no backend recognizes it or nothing is
    /// there.
    ///
    /// - Throws: what `StorageBackend.hasStore(at:)` throws.
    public func backend(ofStoreAt path: String) throws(StorageError) -> StorageBackend? {
        for name in names {
            if let backend = backends[name], try backend.hasStore(at: path) { return backend }
        }
        return nil
    }

    /// Returns the backend that a source names, or throws an error that suggests one.
    func backend(_ stated: Stated<String>) throws(StorageError) -> StorageBackend {
        if let backend = backends[stated.value] { return backend }
        throw .selection(
            stated.source,
            "there is no backend '\(stated.value)'"
                + NearestName.suggestion(for: stated.value, among: names)
                + "; there is: " + list)
    }

    /// The names of all backends, for messages.
    var list: String { names.isEmpty ? "none" : names.joined(separator: ", ") }

    private static func checkName(_ name: String) throws(StorageError) {
        let first = name.utf8.first.map { (97...122).contains($0) } ?? false
        let rest = name.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
        }
        guard first, rest, !FileKey.all.contains(name) else {
            throw .selection(
                .code,
                "'\(name)' cannot be the name of a backend: a name has lower-case letters, digits,"
                    + " '+', '-' and '.', begins with a letter, and is none of "
                    + FileKey.all.joined(separator: ", "))
        }
    }

    /// - Parameter variables: The options seen so far, by environment variable.
    private static func checkOptions(
        of backend: StorageBackend, _ variables: inout [String: String]
    )
        throws(StorageError)
    {
        var seen: Set<String> = []
        for option in backend.knownOptions {
            guard seen.insert(option.name).inserted else {
                throw .selection(
                    .code, "backend '\(backend.name)' has option '\(option.name)' twice")
            }
            let other = variables.updateValue(option.name, forKey: option.variable) ?? option.name
            guard other == option.name else {
                throw .selection(
                    .code,
                    "options '\(other)' and '\(option.name)' have the same environment variable"
                        + " \(option.variable)")
            }
        }
    }
}

extension StorageBackend {
    /// The common options, followed by the backend's own.
    var knownOptions: [StorageOption] { StorageOption.common + options }

    /// Returns the option with that name, or throws an error that suggests one.
    func option(_ name: String, from source: SelectionSource, advice: String = "")
        throws(StorageError) -> StorageOption
    {
        if let option = knownOptions.first(where: { $0.name == name }) { return option }
        let names = knownOptions.map(\.name).sorted()
        throw .selection(
            source,
            "backend '\(self.name)' has no option '\(name)'"
                + NearestName.suggestion(for: name, among: names)
                + "; it has: " + names.joined(separator: ", ") + advice)
    }
}

extension StorageError {
    /// Returns an error about a mistake in what `source` states.
    static func selection(_ source: SelectionSource, _ problem: String) -> StorageError {
        StorageError(.invalidConfiguration, "\(source): \(problem)", operation: "select")
    }
}
