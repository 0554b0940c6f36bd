public import BrowserSessions

/// A selector that determines which store to use from the settings of all sources.
///
/// There is no default backend and no fallback. If no source names a backend, or any source names
/// something that does not exist, resolving fails, even if a stronger source would have overridden
/// the mistake.
public struct BackendSelector: Sendable {
    /// The backends that the layers can name.
    public let registry: BackendRegistry
    /// The layers, strongest first.
    public let layers: [SelectionLayer]

    /// Creates a selector from layers in any order. Layers of the same level keep their order.
    public init(registry: BackendRegistry, layers: [SelectionLayer]) {
        self.registry = registry
        self.layers = SelectionLevel.allCases.reversed().flatMap { level in
            layers.filter { $0.level == level }
        }
    }

    /// Returns the selected backend, its location and its options. Opens nothing.
    ///
    /// - Throws: `StorageError.Code.invalidConfiguration`. The error has the source of the mistake,
    ///   the names that exist, and the nearest one.
    public func resolve() throws(StorageError) -> ResolvedSelection {
        try checkSections()
        let (backend, backendEntry) = try chooseBackend()
        let (location, locationEntry) = try chooseLocation(for: backend)
        let statements = try options(for: backend, chosenBy: backendEntry.source)
        var configuration = StorageConfiguration(location: location)
        var entries = fileEntries() + [backendEntry, locationEntry]
        for option in backend.knownOptions {
            let stated = statements[option.name] ?? []
            if let strongest = stated.first { configuration.options[option.name] = strongest.value }
            let inherited = Stated(option.defaultValue, from: .backendDefault)
            entries.append(entry(of: option, stated + [inherited]))
        }
        let meanings = backend.meanings(configuration)
        for index in entries.indices { entries[index].meaning = meanings[entries[index].name] }
        return ResolvedSelection(
            backend: backend, configuration: configuration,
            explanation: SelectionExplanation(entries: entries),
            otherPlaces: otherPlaces(than: backend))
    }

    private func otherPlaces(than backend: StorageBackend) -> [ResolvedSelection.OtherStore] {
        guard let template = layers.compactMap(\.location).first?.value, !template.isAddress else {
            return []
        }
        return registry.names.compactMap { name in
            let path = template.path(for: name)
            guard let other = registry[name], other.locationForm == .path,
                path != template.path(for: backend.name)
            else { return nil }
            return ResolvedSelection.OtherStore(backend: other, location: path)
        }
    }

    /// Opens the selected store; see ``resolve()``.
    ///
    /// - Throws: what ``resolve()`` throws, and what opening the store throws.
    public func open() async throws(StorageError) -> any SessionStorage {
        try await resolve().open()
    }

    // MARK: - Backend and location

    private func chooseBackend() throws(StorageError) -> (
        StorageBackend, SelectionExplanation.Entry
    ) {
        let stated = layers.compactMap(\.backend)
        var found: [StorageBackend] = []
        for statement in stated { found.append(try registry.backend(statement)) }
        guard let backend = found.first, let entry = entry(of: FileKey.backend, stated) else {
            throw StorageError(
                .invalidConfiguration,
                "no backend is selected: pass --storage BACKEND:///path, set "
                    + "\(EnvironmentKey.backend), or write \"\(FileKey.backend)\" in a"
                    + " configuration file; there is: " + registry.list,
                operation: "select")
        }
        return (backend, entry)
    }

    private func chooseLocation(for backend: StorageBackend) throws(StorageError) -> (
        String, SelectionExplanation.Entry
    ) {
        var stated: [Stated<String>] = []
        var shown: [Stated<String>] = []
        for statement in layers.compactMap(\.location) {
            let path = statement.value.path(for: backend.name)
            try PathBase.check(path, from: statement.source)
            guard backend.locationForm == .address || !statement.value.isAddress else {
                throw .selection(
                    statement.source,
                    "the location has a user, host or port; write three slashes before an absolute path"
                        + " and none before a relative one")
            }
            stated.append(Stated(path, from: statement.source))
            shown.append(Stated(Redaction.location(path), from: statement.source))
        }
        guard let location = stated.first, let entry = entry(of: FileKey.location, shown) else {
            throw StorageError(
                .invalidConfiguration,
                "no location is selected for backend '\(backend.name)': pass --storage "
                    + "\(backend.name):///path, set \(EnvironmentKey.location), or write "
                    + "\"\(FileKey.location)\" in a configuration file",
                operation: "select")
        }
        return (location.value, entry)
    }

    // MARK: - Options

    /// Returns the values of the selected backend's options. The strongest value comes first.
    private func options(for backend: StorageBackend, chosenBy chooser: SelectionSource)
        throws(StorageError) -> [String: [Stated<OptionValue>]]
    {
        var result: [String: [Stated<OptionValue>]] = [:]
        for layer in layers {
            if let section = layer.sections[backend.name] {
                for (name, raw) in section.options {
                    result[name, default: []].append(try read(name, raw, for: backend))
                }
            }
            for (name, raw) in layer.options.sorted(by: { $0.key < $1.key }) {
                let advice = advice(on: name, for: backend, chosenBy: chooser)
                result[name, default: []].append(
                    try read(name, raw, for: backend, advice: advice))
            }
        }
        return result
    }

    /// Checks all sections, including those of backends that are not selected.
    private func checkSections() throws(StorageError) {
        for layer in layers {
            for (name, section) in layer.sections.sorted(by: { $0.key < $1.key }) {
                let backend = try registry.backend(Stated(name, from: section.source))
                for (name, raw) in section.options.sorted(by: { $0.key < $1.key }) {
                    _ = try read(name, raw, for: backend)
                }
            }
        }
    }

    private func read(
        _ name: String, _ raw: Stated<RawOptionValue>, for backend: StorageBackend,
        advice: String = ""
    ) throws(StorageError) -> Stated<OptionValue> {
        let option = try backend.option(name, from: raw.source, advice: advice)
        return Stated(try option.read(raw, for: backend.name), from: raw.source)
    }

    /// Returns advice about an option that only other backends have; empty if none has it.
    private func advice(
        on name: String, for backend: StorageBackend, chosenBy chooser: SelectionSource
    ) -> String {
        let owners = registry.names.filter { other in
            registry[other]?.options.contains { $0.name == name } ?? false
        }
        guard let owner = owners.first else { return "" }
        return "; '\(name)' is an option of '\(owner)', but \(chooser) chose '\(backend.name)':"
            + " put it into a section \"\(owner)\" of a configuration file, where it counts only"
            + " for that backend"
    }

    // MARK: - Explanation

    private func fileEntries() -> [SelectionExplanation.Entry] {
        layers.compactMap { entry(of: "configuration file", $0.files) }
    }

    private func entry(of name: String, _ stated: [Stated<String>]) -> SelectionExplanation.Entry? {
        guard let strongest = stated.first else { return nil }
        return .init(
            name: name, value: strongest.value, source: strongest.source,
            overridden: Array(stated.dropFirst()))
    }

    private func entry(of option: StorageOption, _ stated: [Stated<OptionValue>])
        -> SelectionExplanation.Entry
    {
        let shown = stated.map { Stated(option.shown($0.value), from: $0.source) }
        return .init(
            name: option.name, value: shown[0].value, source: shown[0].source,
            overridden: Array(shown.dropFirst()), isSecret: option.isSecret)
    }
}
